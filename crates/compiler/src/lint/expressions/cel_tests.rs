//! References of expressions, with scopes and places.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = references(text).unwrap();
    let shown = |r: &Reference| {
        let what = match r.kind {
            ReferenceKind::Property { of, access: Access::Read } => format!("{of}.{}", r.name),
            ReferenceKind::Property { of, access: Access::Test } => format!("has {of}.{}", r.name),
            kind => format!("{kind:?} {}", r.name),
        };
        format!("{what} {:?}", &text[r.place.clone()])
    };
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn variables_functions_and_parameters_are_told_apart() {
    check(
        "!args.asked || size(args.topics) > 0 && mode == 'voice'",
        &[
            "Variable args \"args\"",
            "args.asked \"asked\"",
            "Function size \"size\"",
            "Variable args \"args\"",
            "args.topics \"topics\"",
            "Variable mode \"mode\"",
        ],
    );
}

#[test]
fn parameters_are_found_however_they_are_asked_for() {
    check("has(args.a)", &["Variable args \"args\"", "has args.a \"a\""]);
    check("args['a'] == 1", &["Variable args \"args\"", "args.a \"'a'\""]);
    check("\"a\" in args", &["has args.a \"\\\"a\\\"\"", "Variable args \"args\""]);
    check("args . a", &["Variable args \"args\"", "args.a \"a\""]);
    check("user.args.a", &["Variable user \"user\"", "user.args \"args\""]);
}

#[test]
fn what_a_macro_binds_is_no_variable() {
    check("args.list.all(x, x > 1)", &["Variable args \"args\"", "args.list \"list\""]);
    check(
        "[1].exists(x, [2].map(y, x + y + z).size() > 0)",
        &["Variable z \"z\"", "Function size \"size\""],
    );
    check("[1].filter(x, true) == [x]", &["Variable x \"x\""]);
    check("[{}].all(args, args.inner == 1)", &[]);
    check("mode.all(mode, mode == 1)", &["Variable mode \"mode\""]);
}

#[test]
fn places_count_bytes() {
    check(
        "'é😀' == user.name && foo",
        &["Variable user \"user\"", "user.name \"name\"", "Variable foo \"foo\""],
    );
    check("user ==\n  foo", &["Variable user \"user\"", "Variable foo \"foo\""]);
}

#[test]
fn lists_maps_and_branches_are_walked() {
    check(
        "{a: b, 'k': [c]} == (d ? e : -f)",
        &[
            "Variable a \"a\"",
            "Variable b \"b\"",
            "Variable c \"c\"",
            "Variable d \"d\"",
            "Variable e \"e\"",
            "Variable f \"f\"",
        ],
    );
}

#[test]
fn length_and_depth_are_bounded() {
    let long = format!("'{}'", "x".repeat(100_000));
    let problem = references(&long).unwrap_err();
    assert_eq!(problem.message, "expected at most 4096 characters, found 100002");
    let most = MOST_CHARACTERS / 2 - 1;
    for deep in [
        format!("{}a{}", "(".repeat(most), ")".repeat(most)),
        "[".repeat(MOST_CHARACTERS),
        format!("{}a", "!(".repeat(most)),
        format!("{}a", "a?a:".repeat(most / 2)),
    ] {
        assert!(references(&deep).is_err());
    }
    for wide in [
        format!("a{}", "+a".repeat(most)),
        format!("a{}", ".a".repeat(most)),
        format!("a{}", "<a".repeat(most)),
        format!("{}a", "!".repeat(MOST_CHARACTERS - 1)),
        format!("[{}a]", "a,".repeat(most - 1)),
    ] {
        assert!(references(&wide).is_ok());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_read_or_refused(
        pieces in prop::collection::vec(
            prop_oneof![
                Just("args"), Just("."), Just("("), Just(")"), Just("["), Just("]"), Just("{"),
                Just("}"), Just(","), Just(":"), Just("?"), Just("!"), Just("-"), Just(" == "),
                Just(" && "), Just("'x'"), Just("\""), Just("1"), Just("2u"), Just("1.5"),
                Just("has("), Just(".all(x, x)"), Just(".map("), Just(" in "), Just("b'"),
                Just("\\"), Just("\n"), Just("é"), Just("§"), Just("for"), Just("@"), Just("="),
            ],
            0..24,
        ),
        noise in ".{0,12}",
    ) {
        let text = format!("{}{noise}", pieces.concat());
        let places: Vec<_> = match references(&text) {
            Ok(found) => found.into_iter().map(|reference| reference.place).collect(),
            Err(problem) => vec![problem.place],
        };
        for place in places {
            prop_assert!(text.get(place.clone()).is_some(), "{place:?} in {text:?}");
        }
    }
}
