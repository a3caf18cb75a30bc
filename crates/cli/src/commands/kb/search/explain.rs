//! Explains how a score is computed.

use aileron_kb::{Exactness, Expansion, Explanation, TermShare, WordShare};

use crate::output::{count, tame};
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 4] = [
    ("WORD", Align::Left),
    ("IDF", Align::Right),
    ("SHARE", Align::Right),
    ("LOOKED FOR AS", Align::Left),
];

/// Maximum number of listed expansions of a word.
const NAMED: usize = 4;

pub(super) fn table(explanation: &Explanation, indent: &str) -> String {
    let rows: Vec<_> = explanation.words.iter().map(|word| row(word, explanation)).collect();
    let mut lines: Vec<String> = match rows.is_empty() {
        true => Vec::new(),
        false => Table::new(COLUMNS).whole(&rows).lines().map(str::to_owned).collect(),
    };
    lines.extend([words(explanation), meaning(explanation), score(explanation)]);
    lines.iter().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
}

fn row(word: &WordShare, explanation: &Explanation) -> [Cell; 4] {
    let full = explanation.bm25_full;
    let share = if full > 0.0 { word.bm25 / full } else { 0.0 };
    let times = if word.count > 1 { format!(" x{}", word.count) } else { String::new() };
    [
        tame(&format!("{}{times}", word.word)),
        format!("{:.2}", word.idf),
        format!("{share:.2}"),
        tame(&looked_for(word)),
    ]
    .map(Cell::from)
}

fn looked_for(word: &WordShare) -> String {
    let named = &word.terms[..word.terms.len().min(NAMED)];
    let more = match word.terms.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let list = |show: fn(&TermShare) -> String, between| {
        named.iter().map(show).collect::<Vec<_>>().join(between) + &more
    };
    match (word.expansion, named.first()) {
        (_, None) => "no record has it".to_owned(),
        (Expansion::Itself, _) => list(term, "; "),
        (Expansion::Spelling, _) => format!("spelt like {}", list(term, "; ")),
        // Words with the same prefix are counted together.
        (Expansion::Prefix, Some(first)) => {
            let words = list(|term| term.word.clone(), ", ");
            format!("beginning of {words}, in {}", passages(first))
        }
    }
}

fn term(term: &TermShare) -> String {
    let weight = match term.weight {
        1.0 => String::new(),
        weight => format!(", counts {weight:.2}"),
    };
    format!("{}, in {}{weight}", term.term, passages(term))
}

fn passages(term: &TermShare) -> String {
    count(usize::try_from(term.passages).unwrap_or(usize::MAX), "passage")
}

fn words(explanation: &Explanation) -> String {
    let Explanation { bm25, bm25_full, bm25_share, .. } = explanation;
    format!(
        "words    {bm25_share:.3} = BM25 {bm25:.2} of {bm25_full:.2}, the most any text could reach"
    )
}

fn meaning(explanation: &Explanation) -> String {
    match explanation.cosine {
        None => "meaning  not compared".to_owned(),
        Some(cosine) => {
            format!("meaning  {cosine:.3} = cosine, with a weight of {}", explanation.cosine_weight)
        }
    }
}

/// The rule of the engine, with its figures.
fn score(explanation: &Explanation) -> String {
    let Explanation { score, bm25_share, cosine, cosine_weight, .. } = explanation;
    let relevance = match cosine {
        None => format!("{bm25_share:.3}"),
        Some(cosine) => {
            let (cosine, whole) = (cosine.max(0.0), 1.0 + cosine_weight);
            format!("({bm25_share:.3} + {cosine_weight} x {cosine:.3}) / {whole}")
        }
    };
    match explanation.exactness {
        Exactness::None => format!("score    {score:.3} = 0.9 x {relevance}"),
        Exactness::Title => {
            format!("score    {score:.3} = 0.9 + 0.09 x {relevance}: the query is its title")
        }
        Exactness::Id => format!("score    {score:.3}: the query is its id"),
    }
}
