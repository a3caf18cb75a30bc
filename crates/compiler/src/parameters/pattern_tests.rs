//! Regular expressions: those that cannot be used, and those that take too long.

use proptest::prelude::*;
use serde_json::json;

use super::tests::{check_help, check_parameter, findings, tool};
use super::*;

fn codes(pattern: &str) -> Vec<&'static str> {
    let (found, _) = findings(&tool(&json!({"pattern": pattern})), "/parameters");
    found.iter().map(|finding| finding.rule.code).collect()
}

#[test]
fn patterns_compile() {
    check_parameter(
        json!({"type": "string", "pattern": "^[a-z+$"}),
        &[
            "A007 /pattern pattern `^[a-z+$` is not a regular expression: unterminated character class",
        ],
    );
    check_parameter(
        json!({"patternProperties": {"(": {}, "^x/": {}}}),
        &[
            "A007 /patternProperties/( pattern `(` is not a regular expression: unterminated capturing group",
        ],
    );
    check_parameter(
        json!({"pattern": "(?=a"}),
        &[
            "A007 /pattern pattern `(?=a` is not a regular expression: unterminated lookaround assertion",
        ],
    );
    check_parameter(
        json!({"pattern": "\\a"}),
        &[
            "A007 /pattern pattern `\\a` is not a regular expression: could not parse the entire pattern",
        ],
    );
    check_help(
        json!({"pattern": "("}),
        "write it as in JavaScript with the `u` flag, and each backslash twice: `\\\\d`",
    );
    for (pattern, hint) in [
        ("(?i)a", "there are no inline flags: name both cases, `[Aa]`"),
        ("[[:alpha:]]", "there are no POSIX classes: list the characters, `[A-Za-z]`"),
        ("a++", "there are no possessive quantifiers: write `+`"),
        ("\\Aa\\z", "the beginning is `^`"),
    ] {
        let (found, _) = findings(&tool(&json!({ "pattern": pattern })), "/parameters");
        assert_eq!(found.len(), 1, "{pattern}");
        assert!(found[0].message.ends_with(hint), "{}", found[0].message);
    }
}

#[test]
fn a_pattern_is_blamed_in_a_definition_that_nothing_uses() {
    check_parameter(
        json!({"$defs": {"a": {"pattern": "["}}}),
        &[
            "A007 /$defs/a/pattern pattern `[` is not a regular expression: unterminated character class",
        ],
    );
}

#[test]
fn patterns_are_small() {
    for pattern in ["(a{1000}){1000}", "(?!x)(a{1000}){1000}", "x\\p{L}{5000}"] {
        check_parameter(
            json!({"pattern": pattern}),
            &[&format!("A007 /pattern pattern `{pattern}` compiles to more than 10 MiB")],
        );
    }
    check_parameter(
        json!({"patternProperties": {"^\\p{L}{1,5000}$": {}}}),
        &[
            "A007 /patternProperties/^\\p{L}{1,5000}$ pattern `^\\p{L}{1,5000}$` compiles to more than 10 MiB",
        ],
    );
    for pattern in [
        "a{1000}",
        "^.{0,500}$",
        "\\p{L}{3}",
        "^[\\s\\S]{1,2048}$",
        "^\\p{L}{1,5000}$",
        "x\\S{3000}",
    ] {
        assert_eq!(codes(pattern), [""; 0], "{pattern}");
    }
}

#[test]
fn patterns_of_javascript_are_fine() {
    for pattern in [
        "^(?!.*\\.\\.)[a-z.]+$",
        "(?<=a)b",
        "(a)\\1",
        "\\cA",
        "[[]x\\]",
        "[\\w.-]+",
        "\\u0041\\x41\\/[\\-]",
        "^\\p{Lu}",
        "(?<year>\\d{4})",
    ] {
        assert_eq!(codes(pattern), [""; 0], "{pattern}");
    }
}

#[test]
fn exponential_patterns_are_warned_of() {
    for pattern in [
        "(a+)+",
        "(a*)*",
        "^(a+)*$",
        "(a|a)*",
        "^(a|b|[ab])+$",
        "^(\\w+\\s?)*$",
        "(x+x+)+y",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(.*,)*x(.*)*",
        "([a-z]|\\w)*",
        "(a?b?)*",
        "(a{1,3})*",
        "(?:[a-z]+){2,50}",
        "^(?=(a+)+$)b",
        "(?:(a)|\\w)*\\1",
    ] {
        assert_eq!(codes(pattern), ["AIL-A008"], "{pattern}");
    }
    check_parameter(
        json!({"patternProperties": {"(a+)+": {}}}),
        &[
            "A008 /patternProperties/(a+)+ pattern `(a+)+` repeats what can be read in many ways; engines that backtrack take exponential time",
        ],
    );
}

#[test]
fn patterns_that_only_look_exponential_are_not() {
    for pattern in [
        "^[a-z]+(\\.[a-z]+)*$",
        "^([a-z0-9]+-)*[a-z0-9]+$",
        "^(\\d+,)*\\d+$",
        "([a-z]+\\.)+",
        "^(a|b)*$",
        "(a|ab)*c",
        "(a?)*",
        "^(\\w+(\\s|$))*$",
        "^(?:(?!END).)*$",
        "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
        "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$",
        "^([0-9a-f]{2}:){5}[0-9a-f]{2}$",
        "^(\\d{1,3}\\.){3}\\d{1,3}$",
        "^\"([^\"\\\\]|\\\\.)*\"$",
        "a*a*a*",
        "\\s+$",
    ] {
        assert_eq!(codes(pattern), [""; 0], "{pattern}");
    }
}

#[test]
fn deep_and_large_patterns_are_read_without_harm() {
    let deep = format!("{}a{}", "(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(codes(&deep), ["AIL-A007"]);
    let wide = format!("({})*", vec!["ab+"; 500].join("|"));
    assert_eq!(codes(&wide), [""; 0]);
    let repeated = format!("a{}", "*".repeat(5_000));
    assert!(codes(&repeated).len() <= 1);
}

/// A small regular expression, to be counted by hand.
#[derive(Debug, Clone)]
enum Small {
    One(char),
    Any,
    Both(Box<Self>, Box<Self>),
    Either(Box<Self>, Box<Self>),
    Maybe(Box<Self>),
    Many(Box<Self>),
}

impl Small {
    fn text(&self) -> String {
        match self {
            Self::One(c) => c.to_string(),
            Self::Any => ".".to_owned(),
            Self::Both(a, b) => format!("{}{}", a.text(), b.text()),
            Self::Either(a, b) => format!("(?:{}|{})", a.text(), b.text()),
            Self::Maybe(a) => format!("(?:{})?", a.text()),
            Self::Many(a) => format!("(?:{})*", a.text()),
        }
    }

    fn takes_nothing(&self) -> bool {
        match self {
            Self::One(_) | Self::Any => false,
            Self::Both(a, b) => a.takes_nothing() && b.takes_nothing(),
            Self::Either(a, b) => a.takes_nothing() || b.takes_nothing(),
            Self::Maybe(_) | Self::Many(_) => true,
        }
    }

    /// In how many ways it reads a text that is not empty.
    fn ways(&self, text: &str) -> u64 {
        let split = |a: &Self, b: &Self| -> u64 {
            (1..text.len()).map(|at| a.ways(&text[..at]) * b.ways(&text[at..])).sum()
        };
        match self {
            Self::One(c) => u64::from(text.len() == 1 && text.starts_with(*c)),
            Self::Any => u64::from(text.len() == 1),
            Self::Both(a, b) => {
                split(a, b)
                    + u64::from(a.takes_nothing()) * b.ways(text)
                    + u64::from(b.takes_nothing()) * a.ways(text)
            }
            Self::Either(a, b) => a.ways(text) + b.ways(text),
            Self::Maybe(a) => a.ways(text),
            Self::Many(a) => a.ways(text) + split(a, self),
        }
    }
}

fn small() -> impl Strategy<Value = Small> {
    let leaf =
        prop_oneof![3 => Just(Small::One('a')), 2 => Just(Small::One('b')), 1 => Just(Small::Any)];
    leaf.prop_recursive(4, 6, 2, |inner| {
        let two = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            3 => two().prop_map(|(a, b)| Small::Both(a, b)),
            2 => two().prop_map(|(a, b)| Small::Either(a, b)),
            1 => inner.clone().prop_map(|a| Small::Maybe(Box::new(a))),
            1 => inner.clone().prop_map(|a| Small::Many(Box::new(a))),
        ]
    })
}

/// Every text of `a` and `b` up to a length.
fn texts(length: u32) -> impl Iterator<Item = String> {
    (1..=length).flat_map(|length| {
        (0..1_u32 << length).map(move |bits| {
            (0..length).map(|at| if bits >> at & 1 == 0 { 'a' } else { 'b' }).collect()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Inside of a loop, two ways to read one text are as good as exponentially many.
    #[test]
    fn the_verdict_is_the_count(body in small()) {
        let pattern = Small::Many(Box::new(body));
        let text = pattern.text();
        let judged = regex::read(&text).ast.is_some_and(|ast| ambiguity::is_exponential(&text, &ast));
        // Most that are ambiguous show it in a short text, and the others not in a long one.
        let length = if judged { 11 } else { 7 };
        let counted = texts(length).any(|text| pattern.ways(&text) > 1);
        prop_assert_eq!(judged, counted, "{}", text);
    }
}
