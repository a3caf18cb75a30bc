//! The parser's errors, as a person reads them.

use crate::lint::expressions::cel::references;

#[track_caller]
fn check(text: &str, message: &str, place: &str) {
    let problem = references(text).unwrap_err();
    assert_eq!(problem.message, message);
    assert_eq!(&text[problem.place], place);
}

#[test]
fn errors_say_what_was_expected_and_found() {
    check("a ==", "expected a value, found the end", "");
    check("", "expected a value, found the end", "");
    check("a b", "expected an operator or the end, found `b`", "b");
    check("(a", "expected `)`, found the end", "");
    check("a + )", "expected a value, found `)`", ")");
    check("é", "expected CEL, found `é`", "é");
    check("'é' == a §", "expected CEL, found `§`", "§");
    check("a ==\n  )", "expected a value, found `)`", ")");
    check("'abc", "expected CEL, found `'abc`", "'abc");
    check("a ? b", "expected an operator or `:`, found the end", "");
    check("has(a)", "invalid argument to has() macro", "a");
    check("[1].all(1, x)", "argument must be a simple name", "1");
    check("for", "reserved identifier: for", "f");
    check("99999999999999999999", "invalid int literal", "9");
    check(&"(".repeat(200), "expected at most 96 levels of nesting, found more", "(");
}

#[test]
fn operators_of_other_languages_are_translated() {
    let help = |text| references(text).unwrap_err().help;
    assert_eq!(help("a and b"), Some("write `&&` for and"));
    assert_eq!(help("a or b"), Some("write `||` for or"));
    assert_eq!(help("a = b"), Some("write `==` to compare"));
    assert_eq!(help("a & b"), Some("write `&&` for and"));
    assert_eq!(help("a b"), None);
}
