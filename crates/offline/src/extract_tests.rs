//! Values that are extracted from the words.

use super::*;

#[test]
fn addresses_links_and_ids_are_found_where_they_stand() {
    let text = "Write to Mira <mira@example.com>, jon@example.com. or mira@example.com; see https://example.com/a?b=1, and person:mira_holt!";
    assert_eq!(emails(text), ["mira@example.com", "jon@example.com"]);
    assert_eq!(links(text), ["https://example.com/a?b=1"]);
    assert_eq!(record_ids(text), ["person:mira_holt"]);
    assert!(record_ids("at 10:30, note: this, http://x.example").is_empty());
    assert!(emails("@ a@ @b a@b a@b..c a..b@c.de a b@c d@e.f@g.h").is_empty());
}

#[test]
fn quotations_end_where_they_end() {
    assert_eq!(quoted("call it \"Atlas kick-off\" or “Plan B”"), ["Atlas kick-off", "Plan B"]);
    assert_eq!(quoted("„Hallo“ und \"offen"), ["Hallo"]);
    assert!(quoted("\"\"").is_empty());
}

#[test]
fn names_begin_with_capitals_and_are_no_days() {
    assert_eq!(
        names("Schedule an hour with Mira Holt and Jon Bell on Friday"),
        ["Mira Holt", "Jon Bell"]
    );
    assert_eq!(names("Mira Holt, please"), ["Mira Holt"]);
    assert!(names("What is her email?").is_empty());
}

#[test]
fn what_follows_a_phrase_is_found_in_any_case() {
    assert_eq!(after("Please Draw a boat", &["draw"]), Some("a boat"));
    assert_eq!(after("withdraw a boat", &["draw"]), None);
    assert_eq!(after("İ draw a boat", &["draw"]), Some("a boat"));
}

#[test]
fn numbers_keep_sign_and_fraction() {
    assert_eq!(numbers("from -3 to 4.5, not 7."), [-3.0, 4.5, 7.0]);
}
