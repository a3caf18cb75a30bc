//! A namespace that is not asked for leaves no trace in an answer: not in scores, not in
//! corrected spellings, not in counts, notes or suggested ids.

use std::sync::Arc;

use aileron_contract::kb::{Filters, MissingRecord, Namespace, Record, SearchNote};
use proptest::prelude::*;
use tempfile::TempDir;

use super::KnowledgeBase;
use crate::change::IndexStart;
use crate::embed::FixedTable;
use crate::search::fixture::{record, tagged};
use crate::search::{Detail, Explanation, SearchQuery};

/// Words of records and queries; some are slips of others, so that spelling is corrected.
const WORDS: [&str; 16] = [
    "lighting",
    "lightning",
    "render",
    "renders",
    "farm",
    "queue",
    "4711",
    "salary",
    "review",
    "reviews",
    "holt",
    "hollt",
    "mira",
    "budget",
    "budgets",
    "café",
];

/// A step of a history: a record that is put, changed or removed, and whether a commit follows.
#[derive(Debug, Clone)]
struct Step {
    number: usize,
    namespace: Namespace,
    words: Vec<usize>,
    removed: bool,
    commits: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = prop::collection::vec(0..WORDS.len(), 1..12);
    let namespace = prop::sample::select(Namespace::ALL.to_vec());
    let step = (0..6usize, namespace, words, prop::bool::weighted(0.15), prop::bool::weighted(0.3));
    let step = step.prop_map(|(number, namespace, words, removed, commits)| Step {
        number,
        namespace,
        words,
        removed,
        commits,
    });
    prop::collection::vec(step, 1..14)
}

impl Step {
    /// Ids of two namespaces are never the same.
    fn record(&self) -> Record {
        let text: Vec<&str> = self.words.iter().map(|word| WORDS[*word]).collect();
        let id = format!("doc:{}_{}", WORDS[self.words[0]], self.number);
        let mut record = record(&format!("{id}_{}", self.namespace), text[0], &text.join(" "));
        record.namespace = self.namespace;
        record.kind = if self.number.is_multiple_of(2) { "even" } else { "odd" }.to_owned();
        record.tags = vec![text[text.len() - 1].to_owned()];
        record
    }
}

/// Plays a history, without the steps of one namespace or with all.
fn play(steps: &[Step], hidden: Option<Namespace>) -> (TempDir, KnowledgeBase) {
    let folder = TempDir::new().unwrap();
    let kb = KnowledgeBase::at(folder.path(), Some(Arc::new(FixedTable::new())));
    let mut change = kb.begin(IndexStart::Continue).unwrap();
    for step in steps.iter() {
        if hidden != Some(step.namespace) {
            match step.removed {
                true => drop(change.remove(&step.record().id).unwrap()),
                false => drop(change.put(step.record(), "test").unwrap()),
            }
        }
        if step.commits {
            change.commit().unwrap();
            change = kb.begin(IndexStart::Continue).unwrap();
        }
    }
    change.commit().unwrap();
    (folder, kb)
}

/// The visible result of a search, without rows.
type Told = (Vec<(Record, f64, String, Option<Explanation>)>, Vec<SearchNote>);

fn told(kb: &KnowledgeBase, text: &str, namespaces: &[Namespace], filters: &Filters) -> Told {
    let request = SearchQuery {
        text,
        namespaces,
        filters,
        top_k: 4,
        min_score: None,
        detail: Detail::Explained,
    };
    let found = kb.search(&request).unwrap();
    let hits = found.hits.into_iter();
    let hits = hits.map(|hit| (hit.record, hit.score, hit.snippet.text, hit.explanation));
    (hits.collect(), found.notes)
}

fn missing(kb: &KnowledgeBase, id: String, namespaces: &[Namespace]) -> Vec<MissingRecord> {
    kb.read(&[id], namespaces).unwrap().missing
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 32, ..ProptestConfig::default() })]

    #[test]
    fn records_of_another_namespace_change_no_answer(
        steps in steps(),
        hidden in prop::sample::select(Namespace::ALL.to_vec()),
        queries in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 1..4), 1..5),
    ) {
        let (_all, all) = play(&steps, None);
        let (_rest, rest) = play(&steps, Some(hidden));
        let readable: Vec<Namespace> =
            Namespace::ALL.into_iter().filter(|namespace| *namespace != hidden).collect();
        let other = Filters { kind: Some("neither".to_owned()), ..Filters::default() };
        let even = Filters { kind: Some("even".to_owned()), ..Filters::default() };
        for words in &queries {
            let words: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
            let text = words.join(" ");
            let slip: String = text.chars().rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
            for text in [text.clone(), slip, format!("\"{text}\""), format!("{}*", words[0])] {
                for filters in [&Filters::default(), &tagged(&[words[0]]), &even, &other] {
                    for namespaces in [&readable[..], &readable[..1]] {
                        prop_assert_eq!(
                            told(&all, &text, namespaces, filters),
                            told(&rest, &text, namespaces, filters)
                        );
                    }
                }
            }
        }
        for step in &steps {
            let id = step.record().id;
            let known = rest.read(std::slice::from_ref(&id), &readable).unwrap();
            prop_assert_eq!(all.read(std::slice::from_ref(&id), &readable).unwrap(), known);
            let near = format!("{id}x");
            prop_assert_eq!(missing(&all, near.clone(), &readable), missing(&rest, near, &readable));
            // An id is a query too.
            prop_assert_eq!(
                told(&all, &id, &readable, &Filters::default()),
                told(&rest, &id, &readable, &Filters::default())
            );
        }
    }
}
