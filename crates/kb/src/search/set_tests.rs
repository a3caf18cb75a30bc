//! The same records give the same answer however they are spread over shards.

use aileron_contract::kb::{Filters, Record};

use crate::search::RankedHit;
use crate::search::fixture::{Base, Vectors, record, tagged};

const WORDS: [&str; 24] = [
    "render", "farm", "queue", "shot", "review", "light", "rig", "scene", "studio", "camera",
    "edit", "sound", "mix", "model", "texture", "shader", "cloth", "hair", "crowd", "matte",
    "paint", "track", "layout", "anim",
];

/// Texts of many lengths from few words, the same at every call.
fn corpus(count: usize) -> Vec<Record> {
    let mut state = 17u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut word = move || {
        let highest = 1 + next(WORDS.len());
        WORDS[next(highest)]
    };
    let mut text = move |length: usize| (0..length).map(|_| word()).collect::<Vec<_>>().join(" ");
    (0..count)
        .map(|n| {
            let body = format!("{}\n\n{}", text(3 + n % 40), text(1 + n % 7));
            let mut record = record(&format!("r:{n:05}"), &text(2), &body);
            record.tags = (0..5)
                .filter(|tag| n % (10 * 5usize.pow(*tag)) == 0)
                .map(|tag| format!("t{tag}"))
                .collect();
            record
        })
        .collect()
}

fn ranking(base: &Base, query: &str, filters: &Filters, top_k: usize) -> Vec<RankedHit> {
    base.search(query, filters, top_k).unwrap()
}

#[test]
fn shards_do_not_change_scores_or_order() {
    for vectors in [Vectors::Without, Vectors::With] {
        let records = corpus(600);
        let one = Base::new(records.clone(), 1, vectors, &[]);
        let five = Base::new(records, 5, vectors, &[]);
        for query in [
            "render farm",
            "matte paint track",
            "rendr quee",
            "sh* light",
            "\"render farm\"",
            "anim",
        ] {
            for filters in [Filters::default(), tagged(&["t0"])] {
                let (left, right) =
                    (ranking(&one, query, &filters, 50), ranking(&five, query, &filters, 50));
                assert!(!left.is_empty(), "{query}");
                let ids = |hits: &[RankedHit]| {
                    hits.iter().map(|hit| hit.record.id.clone()).collect::<Vec<_>>()
                };
                assert_eq!(ids(&left), ids(&right), "{query}");
                for (a, b) in left.iter().zip(&right) {
                    assert!((a.score - b.score).abs() < 1e-5, "{query}: {} {}", a.score, b.score);
                    assert_eq!(a.snippet, b.snippet);
                }
            }
        }
    }
}

#[test]
fn the_same_search_gives_the_same_answer() {
    let base = Base::new(corpus(300), 3, Vectors::With, &[]);
    let first = ranking(&base, "render shot queue", &Filters::default(), 30);
    for _ in 0..5 {
        assert_eq!(ranking(&base, "render shot queue", &Filters::default(), 30), first);
    }
}

#[test]
fn narrow_and_wide_filters_rank_alike() {
    let records = corpus(2_000);
    let base = Base::new(records, 1, Vectors::Without, &[]);
    let all = ranking(&base, "render farm light", &Filters::default(), 2_000);
    for tag in ["t0", "t1", "t2", "t3"] {
        let filtered = ranking(&base, "render farm light", &tagged(&[tag]), 2_000);
        let expected: Vec<(&str, f64)> = all
            .iter()
            .filter(|hit| hit.record.tags.iter().any(|own| own == tag))
            .map(|hit| (hit.record.id.as_str(), hit.score))
            .collect();
        let found: Vec<(&str, f64)> =
            filtered.iter().map(|hit| (hit.record.id.as_str(), hit.score)).collect();
        assert_eq!(found, expected, "{tag}");
        assert!(!found.is_empty());
    }
}

#[test]
fn pruning_loses_none_of_the_best() {
    let base = Base::new(corpus(3_000), 2, Vectors::Without, &[]);
    for query in ["render", "render farm", "anim layout track render", "cam* shot"] {
        let all = ranking(&base, query, &Filters::default(), 3_000);
        let few = ranking(&base, query, &Filters::default(), 10);
        let ids = |hits: &[RankedHit]| {
            hits.iter().map(|hit| hit.record.id.clone()).take(10).collect::<Vec<_>>()
        };
        assert_eq!(ids(&few), ids(&all), "{query}");
    }
}

#[test]
fn many_passages_of_one_record_do_not_crowd_out_others() {
    let long = "render farm queue\n\n".repeat(1_000);
    let mut records = vec![record("long", "", &long)];
    records.extend((0..20).map(|n| {
        record(&format!("s:{n:02}"), "", "the render farm was mentioned once in a long text")
    }));
    for vectors in [Vectors::Without, Vectors::With] {
        let base = Base::new(records.clone(), 2, vectors, &[]);
        let hits = ranking(&base, "render farm queue", &Filters::default(), 15);
        assert_eq!(hits.len(), 15);
        assert_eq!(hits[0].record.id, "long");
    }
}
