//! Which names are suggested for an unknown one.

use super::*;

const NAMES: [&str; 5] =
    ["person:mira_holt", "person:mira_hall", "person:miro_holt", "person:mira_hold", "doc:fire"];

#[test]
fn the_best_three_are_suggested_and_equals_go_by_name() {
    let closest = closest("person:mira_hol", NAMES.into_iter(), 0.6);
    assert_eq!(closest, ["person:mira_hold", "person:mira_holt", "person:mira_hall"]);
}

#[test]
fn nothing_is_suggested_for_what_is_like_nothing() {
    assert_eq!(closest("zzzz", NAMES.into_iter(), 0.6), [""; 0]);
    assert_eq!(closest("", NAMES.into_iter(), 0.6), [""; 0]);
}

#[test]
fn how_alike_a_name_must_be_is_up_to_the_caller() {
    assert_eq!(closest("person:mira_holt", NAMES.into_iter(), 1.0), ["person:mira_holt"]);
}

#[test]
fn a_long_name_is_compared_by_its_beginning() {
    let long = format!("doc:{}", "ö".repeat(100_000));
    let other = format!("doc:{}", "ö".repeat(90));
    assert_eq!(closest(&long, [other.as_str()].into_iter(), 0.6), [other.as_str()]);
}
