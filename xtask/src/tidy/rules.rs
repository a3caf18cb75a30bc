//! Every diagnostic has a code of its own and a page that is whole.

use std::collections::BTreeSet;

use aileron_compiler::{Rule, rule};

const SECTIONS: [&str; 3] = ["## Why", "## Example", "## Fix"];

pub(crate) fn check() -> Vec<String> {
    let rules = rule::all();
    let mut findings: Vec<_> = rules.iter().flat_map(|rule| check_page(rule)).collect();
    let (mut codes, mut names) = (BTreeSet::new(), BTreeSet::new());
    for rule in rules {
        if !codes.insert(rule.code) || !names.insert(rule.name) {
            findings.push(format!("{}: code or name is used twice", rule.code));
        }
    }
    findings
}

fn check_page(rule: &Rule) -> Vec<String> {
    let page = rule::page(rule);
    let missing = SECTIONS.iter().filter(|section| !page.contains(**section));
    missing.map(|section| format!("{}: its page has no `{section}`", rule.code)).collect()
}
