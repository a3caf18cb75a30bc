//! The list of all rules, of every lint family and of breaking changes, and the search in it.

use crate::rule::Rule;
use crate::{breaking, lint, suggest};

/// Every rule, sorted by code.
pub fn all() -> Vec<&'static Rule> {
    let mut rules: Vec<_> = lint::rules().chain(breaking::RULES.iter().copied()).collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// The rule of that code or name, in any case.
pub fn find(code: &str) -> Option<&'static Rule> {
    all()
        .into_iter()
        .find(|rule| rule.code.eq_ignore_ascii_case(code) || rule.name.eq_ignore_ascii_case(code))
}

/// The rule whose code or name is most similar to a text.
pub fn closest(text: &str) -> Option<&'static Rule> {
    let rules = all();
    let by_code = suggest::closest(text, rules.iter().map(|rule| rule.code));
    let by_name = suggest::closest(text, rules.iter().map(|rule| rule.name));
    by_code.or(by_name).and_then(find)
}
