//! Braces of every kind.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, names: &[&str], problems: &[(ProblemKind, &str)]) {
    let preview = parse(text);
    let found: Vec<_> = preview.placeholders.iter().map(|p| p.name).collect();
    assert_eq!(found, names, "{text}");
    let shown = preview.problems.iter().map(|p| (p.kind, &text[p.place.clone()]));
    assert_eq!(shown.collect::<Vec<_>>(), problems, "{text}");
    for placeholder in &preview.placeholders {
        assert_eq!(&text[placeholder.place.clone()], placeholder.name);
    }
}

#[test]
fn names_stand_between_braces() {
    check("Create \"{title}\" with {attendees.length} people", &["title", "attendees.length"], &[]);
    check("no braces", &[], &[]);
    check("é{é}é", &["é"], &[]);
}

#[test]
fn doubled_braces_are_braces() {
    check("{{literal}} and {name}", &["name"], &[]);
    check("{{{name}}}", &["name"], &[]);
    check("}}{{", &[], &[]);
}

#[test]
fn broken_braces_are_problems() {
    use ProblemKind::{Empty, Unclosed, Unopened};
    check("a {title", &[], &[(Unclosed, "{")]);
    check("a {one {two}", &["two"], &[(Unclosed, "{")]);
    check("a } b", &[], &[(Unopened, "}")]);
    check("{} and { }", &[], &[(Empty, "{}"), (Empty, "{ }")]);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "[{}a.é ]{0,40}") {
        let preview = parse(&text);
        for place in preview.problems.iter().map(|p| &p.place) {
            prop_assert!(text.get(place.clone()).is_some());
        }
    }
}
