//! Every rule explains itself.

use super::*;

#[test]
fn codes_are_numbered_and_explained() {
    for rule in RULES {
        assert!(rule.explanation.contains("\n ## Why\n"), "{rule}");
        assert!(rule.explanation.contains("\n ## Example\n"), "{rule}");
        assert!(rule.explanation.contains("\n ## Fix\n"), "{rule}");
    }
    let mut codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
    codes.sort_unstable();
    let expected: Vec<_> = (1..=23).map(|number| format!("AIL-H{number:03}")).collect();
    assert_eq!(codes, expected);
}
