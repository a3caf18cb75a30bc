//! Every diagnostic has a unique code and a complete page.

use std::collections::BTreeSet;

use aileron_compiler::{Rule, rules};

const SECTIONS: [&str; 3] = ["## Why", "## Example", "## Fix"];

pub(crate) fn check() -> Vec<String> {
    let all = rules::all();
    let mut findings: Vec<_> = all.iter().flat_map(|rule| check_page(rule)).collect();
    let (mut codes, mut names) = (BTreeSet::new(), BTreeSet::new());
    for rule in all {
        if !codes.insert(rule.code) || !names.insert(rule.name) {
            findings.push(format!("{}: code or name is used twice", rule.code));
        }
    }
    findings
}

fn check_page(rule: &Rule) -> Vec<String> {
    let page = rule.page();
    let missing = SECTIONS.iter().filter(|section| !page.contains(**section));
    missing.map(|section| format!("{}: its page has no `{section}`", rule.code)).collect()
}
