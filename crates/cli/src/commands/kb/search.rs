//! `aileron kb search`: finds records by keywords and meaning, with an excerpt each.

mod explain;
mod paragraph;

use std::time::Instant;

use aileron_contract::kb::{Ranking, Record};
use aileron_kb::{Detail, KnowledgeBase, RankedHit, Results, SearchQuery};
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::record::day;
use crate::args::{DataFormat, SearchArgs};
use crate::commands::findings::pretty;
use crate::knowledge::failure;
use crate::output::{self, ExitOutcome, Failure, tame};

const BY_WORDS: &str = "ranked by words alone";
const NO_VECTORS: &str = "ranked by words alone: the index has no vectors; \
                          `aileron kb ingest --rebuild` makes them if [kb.embeddings] names an engine";

/// The indentation of lines under a title.
const INDENT: &str = "      ";

pub(super) fn run(args: &SearchArgs, kb: KnowledgeBase) -> Result<ExitOutcome, Failure> {
    let kb = match args.words {
        true => KnowledgeBase::at(kb.folder(), None),
        false => kb,
    };
    let began = Instant::now();
    let found = search(args, &kb)?;
    let took = began.elapsed();
    match args.format {
        DataFormat::Json => {
            let results: Vec<_> = found.hits.iter().map(as_json).collect();
            output::data(&pretty(&json!({
                "query": args.query, "ranking": found.ranking, "results": results,
                "notes": notes(&found), "queryTimeMs": took.as_millis(),
            })))?;
        }
        DataFormat::Text if found.hits.is_empty() => {}
        DataFormat::Text => {
            let entries: Vec<_> = found.hits.iter().map(entry).collect();
            output::data(&entries.join("\n\n"))?;
        }
    }
    comment(args, &found);
    Ok(ExitOutcome::Fine)
}

fn search(args: &SearchArgs, kb: &KnowledgeBase) -> Result<Results, Failure> {
    let request = SearchQuery {
        text: &args.query,
        namespaces: args.namespaces(),
        filters: &args.filters(),
        top_k: args.top_k,
        min_score: Some(args.min_score),
        detail: if args.explain { Detail::Explained } else { Detail::Hits },
    };
    kb.search(&request).map_err(failure)
}

/// Prints notes about the results.
fn comment(args: &SearchArgs, found: &Results) {
    notes(found).iter().for_each(|note| output::talk(note));
    if found.hits.is_empty() {
        let way_out = match args.is_filtered() {
            true => "leave out a filter to see more",
            false => "`aileron kb stats` says what there is",
        };
        output::talk(&format!("nothing was found for {:?}; {way_out}", args.query));
    }
    match found.ranking {
        Ranking::Hybrid => {}
        Ranking::Words if args.words => output::talk(BY_WORDS),
        Ranking::Words => output::talk(NO_VECTORS),
    }
}

fn notes(found: &Results) -> Vec<String> {
    found.notes.iter().map(ToString::to_string).collect()
}

/// A hit, formatted for people.
fn entry(hit: &RankedHit) -> String {
    let record = &hit.record;
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let mut lines = vec![
        format!("{:.2}  {bold}{}{bold:#}", hit.score, tame(&record.title)),
        format!("{INDENT}{dim}{}{dim:#}", tame(&about(record))),
    ];
    lines.extend(paragraph::wrapped(&hit.snippet, INDENT, matched()));
    lines.extend(record.url.iter().map(|url| format!("{INDENT}{}", tame(url))));
    lines.extend(hit.explanation.iter().map(|explanation| explain::table(explanation, INDENT)));
    lines.join("\n")
}

fn about(record: &Record) -> String {
    [&record.id, &record.kind, record.namespace.as_str(), day(record)].join("  ")
}

/// The style of matched words.
fn matched() -> Style {
    AnsiColor::Yellow.on_default().bold()
}

/// Everything but the text, which `kb get` gives.
fn as_json(hit: &RankedHit) -> Value {
    let mut value = json!(hit.record);
    if let Value::Object(fields) = &mut value {
        fields.remove("text");
    }
    value["score"] = json!(hit.score);
    if let Some(passage) = hit.passage {
        value["passage"] = json!(passage);
    }
    value["snippet"] = json!(hit.snippet.text);
    let matches = hit.snippet.matches.iter().map(|bytes| json!([bytes.start, bytes.end]));
    value["matches"] = matches.collect();
    if let Some(explanation) = &hit.explanation {
        value["explanation"] = json!(explanation);
    }
    value
}
