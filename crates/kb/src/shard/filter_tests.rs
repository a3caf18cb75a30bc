//! Filters, applied before anything is ranked.

use aileron_contract::kb::{Filters, Namespace, Record};

use crate::search::fixture::{Base, Vectors, between, record, tagged};
use crate::search::{Detail, SearchError, SearchQuery};

/// A hundred records that all match, each a bit worse than the one before.
fn hundred() -> Vec<Record> {
    (0..100)
        .map(|n| {
            let mut record =
                record(&format!("r:{n:03}"), "", &format!("review {}", "filler ".repeat(n)));
            record.kind = if n % 2 == 0 { "process" } else { "person" }.to_owned();
            record.namespace = Namespace::ALL[n % 3];
            record.tags =
                [2, 5, 10].iter().filter(|by| n % **by == 0).map(|by| format!("by-{by}")).collect();
            record.last_updated = format!("2026-01-{:02}T12:00:00Z", n % 28 + 1);
            record
        })
        .collect()
}

fn count(base: &Base, filters: &Filters) -> usize {
    let hits = base.search("review", filters, 100).unwrap();
    hits.len()
}

#[test]
fn each_filter_keeps_what_meets_it_and_all_of_that() {
    for vectors in [Vectors::Without, Vectors::With] {
        let base = Base::new(hundred(), 3, vectors, &[]);
        assert_eq!(count(&base, &Filters::default()), 100);
        let kind = Filters { kind: Some("person".to_owned()), ..Filters::default() };
        assert_eq!(count(&base, &kind), 50);
        assert_eq!(count(&base, &tagged(&["by-5"])), 20);
        assert_eq!(count(&base, &tagged(&["by-2", "by-5"])), 10);
        assert_eq!(count(&base, &tagged(&["by-2", "by-5", "by-2"])), 10);
        assert_eq!(count(&base, &tagged(&["by-2", "absent"])), 0);
        assert_eq!(count(&base, &tagged(&["By-2"])), 50);
        let both = Filters { kind: Some("person".to_owned()), ..tagged(&["by-2"]) };
        assert_eq!(count(&base, &both), 0);
    }
}

#[test]
fn dates_are_inclusive() {
    let base = Base::of(hundred());
    assert_eq!(count(&base, &between(Some("2026-01-01"), Some("2026-01-28"))), 100);
    assert_eq!(count(&base, &between(Some("2026-01-01"), Some("2026-01-01"))), 4);
    assert_eq!(
        count(&base, &between(Some("2026-01-01T12:00:00Z"), Some("2026-01-01T12:00:00Z"))),
        4
    );
    assert_eq!(
        count(&base, &between(Some("2026-01-01T12:00:01Z"), Some("2026-01-02T11:59:59Z"))),
        0
    );
    assert_eq!(count(&base, &between(None, Some("2026-01-02T14:00:00+02:00"))), 8);
    assert_eq!(count(&base, &between(Some("2027-01-01"), None)), 0);
    // Other filters leave few passages to look at.
    let narrow =
        |start, end| Filters { date_range: between(start, end).date_range, ..tagged(&["by-10"]) };
    assert_eq!(count(&base, &narrow(Some("2026-01-01"), Some("2026-01-10"))), 4);
    assert_eq!(count(&base, &narrow(Some("2026-01-11"), None)), 6);
}

#[test]
fn wrong_dates_are_typed_errors() {
    let base = Base::of(hundred());
    for filters in [between(Some("2026-02-01"), Some("2026-01-01")), between(Some("soon"), None)] {
        let error = base.search("review", &filters, 5).unwrap_err();
        assert!(matches!(error, SearchError::Date(_)), "{error}");
    }
}

#[test]
fn namespaces_are_kept_apart() {
    let base = Base::of(hundred());
    let filters = Filters::default();
    let found = |namespaces: &[Namespace]| {
        let request = SearchQuery {
            text: "review",
            namespaces,
            filters: &filters,
            top_k: 100,
            min_score: Some(0.0),
            detail: Detail::Hits,
        };
        let hits = base.searcher().search(&request).unwrap().hits;
        assert!(hits.iter().all(|hit| namespaces.contains(&hit.record.namespace)));
        hits.len()
    };
    assert_eq!(found(&[Namespace::Studio]), 34);
    assert_eq!(found(&[Namespace::Personal, Namespace::Public]), 66);
    assert_eq!(found(&[]), 0);
}

#[test]
fn exact_matches_meet_the_filter_too() {
    let mut records = hundred();
    records[1].title = "Secret".to_owned();
    let base = Base::of(records);
    assert_eq!(base.filtered("r:001", &tagged(&["by-2"])), Vec::<String>::new());
    assert_eq!(base.filtered("secret", &tagged(&["by-2"])), Vec::<String>::new());
    assert_eq!(base.filtered("secret", &Filters::default()), ["r:001"]);
}

#[test]
fn top_k_is_filled_from_what_the_filter_leaves() {
    let mut records = hundred();
    // The only records with the tag are the worst matches.
    records.iter_mut().skip(90).for_each(|record| record.tags.push("late".to_owned()));
    for vectors in [Vectors::Without, Vectors::With] {
        let base = Base::new(records.clone(), 2, vectors, &[]);
        let mut found = base.filtered("review", &tagged(&["late"]));
        found.sort();
        assert_eq!(found, (90..100).map(|n| format!("r:{n:03}")).collect::<Vec<_>>());
    }
}

#[test]
fn a_thousand_tags_are_one_filter() {
    let mut all = record("all", "", "review");
    all.tags = (0..1_000).map(|n| format!("tag {n}")).collect();
    let tags: Vec<&str> = all.tags.iter().map(String::as_str).collect();
    let filters = tagged(&tags);
    let base = Base::of([all.clone(), record("none", "", "review")]);
    assert_eq!(base.filtered("review", &filters), ["all"]);
    assert_eq!(base.filtered("review", &tagged(&["tag 999", "tag 1000"])), Vec::<String>::new());
}

#[test]
fn passages_of_dead_rows_are_not_found() {
    let dead = [1, 3, 100, 4_000];
    for vectors in [Vectors::Without, Vectors::With] {
        let base = Base::new(hundred(), 3, vectors, &dead);
        assert_eq!(count(&base, &Filters::default()), 97);
        let found = base.filtered("review", &Filters::default());
        assert_eq!(&found[..3], ["r:001", "r:003", "r:004"]);
        assert!(!base.filtered("r:000", &Filters::default()).contains(&"r:000".to_owned()));
    }
}
