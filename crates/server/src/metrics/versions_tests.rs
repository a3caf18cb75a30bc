//! Each version has its own figures, and their number is bounded.

use super::*;

#[test]
fn versions_are_counted_apart() {
    let table = VersionTable::default();
    for (registry, tool, version, calls) in [
        ("1.0.a", "search", "1.0.0", 3),
        ("1.0.b", "search", "1.0.0", 2),
        ("1.0.b", "get", "2.0.0", 1),
    ] {
        table.of([registry, tool, version]).calls.add(calls);
    }
    table.of(["1.0.b", "search", "1.0.0"]).calls.add(5);
    let used: Vec<_> =
        table.used().iter().map(|entry| (entry.labels.join(" "), entry.calls.count())).collect();
    let expected = [("1.0.a search 1.0.0", 3), ("1.0.b get 2.0.0", 1), ("1.0.b search 1.0.0", 7)];
    assert_eq!(used, expected.map(|(labels, calls)| (labels.to_owned(), calls)));
}

#[test]
fn the_number_of_versions_is_bounded() {
    let table = VersionTable::default();
    for number in 0..1_000 {
        table.of([&format!("1.0.{number}"), "search", "1.0.0"]).calls.add(1);
    }
    let used = table.used();
    assert_eq!(used.len(), MAX_VERSIONS + 1);
    let other = used.iter().find(|entry| *entry.labels[0] == *OTHER).unwrap();
    assert_eq!(other.calls.count(), 1_000 - MAX_VERSIONS as u64);
}
