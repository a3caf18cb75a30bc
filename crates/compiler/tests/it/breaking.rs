//! Every promise by its folder: `tests/breaking/<RULE>/{breaks,holds}/{previous,current}/<tool>/`.
//!
//! In `breaks` each tool breaks that promise and no other; in `holds` something
//! much like it happens that does not.

mod registry;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use aileron_compiler::breaking::{self, Break, Comparison};
use aileron_compiler::document::Document;
use aileron_compiler::{Diagnostic, Rule, Source};
use aileron_contract::{Artifact, ArtifactTool};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/breaking")
}

/// The previous and the current registry of a folder.
fn registries(rule: &Rule, kind: &str) -> (Artifact, Artifact) {
    let folder = root().join(rule.code).join(kind);
    (registry::read(&folder.join("previous")), registry::read(&folder.join("current")))
}

fn compare(rule: &Rule, kind: &str) -> Comparison {
    let (previous, current) = registries(rule, kind);
    breaking::compare(&previous, &current)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_rule_has_its_folders_and_every_folder_its_rule() {
    let rules: BTreeSet<_> = breaking::RULES.iter().map(|rule| rule.code.to_owned()).collect();
    assert_eq!(names(&root()), rules);
    assert_eq!(rules.len(), breaking::RULES.len(), "a code stands twice");
    for rule in rules {
        let kinds = names(&root().join(&rule));
        assert_eq!(kinds, ["breaks", "holds"].map(str::to_owned).into(), "{rule}");
    }
}

#[test]
fn every_rule_explains_itself() {
    for rule in breaking::RULES {
        for section in ["## Why", "## Example", "## Fix", "## Needs"] {
            assert!(rule.explanation.contains(section), "{} lacks {section}", rule.code);
        }
    }
}

#[test]
fn each_tool_of_breaks_breaks_that_promise_and_no_other() {
    for rule in breaking::RULES {
        let (previous, _) = registries(rule, "breaks");
        let comparison = compare(rule, "breaks");
        let other = comparison.changes.iter().find(|found| found.rule != *rule);
        assert_eq!(other, None, "{}", rule.code);
        let broken: BTreeSet<_> =
            comparison.violations().map(|found| found.tool.as_str()).collect();
        let tools = previous.tools.iter().map(ArtifactTool::id).filter(|id| *id != "kept");
        assert_eq!(broken, tools.collect(), "{}", rule.code);
    }
}

#[test]
fn a_version_that_is_raised_enough_is_no_violation() {
    for rule in breaking::RULES.iter().filter(|rule| rule.code != "TOOL_NO_DELETE") {
        let (previous, mut current) = registries(rule, "breaks");
        let comparison = breaking::compare(&previous, &current);
        for found in comparison.violations() {
            registry::raise(&mut current, &found.tool, &found.needed().release());
        }
        let raised = breaking::compare(&previous, &current);
        assert_eq!(raised.violations().next(), None, "{}", rule.code);
    }
}

#[test]
fn a_version_that_is_raised_too_little_is_a_violation() {
    let rule = aileron_compiler::rules::find("PARAM_NO_DELETE").unwrap();
    let (previous, mut current) = registries(rule, "breaks");
    for tool in &previous.tools {
        registry::raise(&mut current, tool.id(), &"1.9.9".parse().unwrap());
    }
    let comparison = breaking::compare(&previous, &current);
    assert_eq!(comparison.violations().count(), comparison.changes.len());
}

#[test]
fn what_holds_is_not_reported() {
    for rule in breaking::RULES {
        let found = compare(rule, "holds").changes.into_iter().find(|found| found.rule == *rule);
        assert_eq!(found, None, "{}", rule.code);
    }
}

#[test]
fn a_registry_is_the_same_as_itself() {
    for rule in breaking::RULES {
        let (previous, current) = registries(rule, "breaks");
        for registry in [previous, current] {
            assert_eq!(breaking::compare(&registry, &registry), Comparison::default());
        }
    }
}

#[test]
fn a_deleted_tool_is_a_violation_until_it_is_allowed() {
    let rule = aileron_compiler::rules::find("tool-deleted").unwrap();
    let comparison = compare(rule, "breaks");
    assert_eq!(comparison.violations().count(), 1);
    assert_eq!(comparison.violations_except(&["VERSION_NO_LOWER"]).count(), 1);
    assert_eq!(comparison.violations_except(&["TOOL_NO_DELETE"]).count(), 0);
    assert_eq!(comparison.violations_except(&["tool-deleted"]).count(), 0);
}

#[test]
fn an_added_tool_is_listed_and_breaks_nothing() {
    let rule = aileron_compiler::rules::find("TOOL_NO_DELETE").unwrap();
    let comparison = compare(rule, "holds");
    let added: Vec<_> =
        comparison.added.iter().map(|tool| format!("{} {}", tool.tool, tool.version)).collect();
    assert_eq!(added, ["find 1.4.2"]);
}

/// The messages about every change of the folders.
#[test]
fn changes_in_words() {
    let mut text = String::new();
    for rule in breaking::RULES {
        for kind in ["breaks", "holds"] {
            writeln!(text, "{} {kind}", rule.code).unwrap();
            for found in compare(rule, kind).changes {
                let Break { tool, pointer, message, needs, .. } = &found;
                let other = if found.rule == *rule {
                    String::new()
                } else {
                    format!("{} ", found.rule.code)
                };
                writeln!(text, "  {tool} {pointer}: {other}{needs}: {message}").unwrap();
            }
        }
    }
    insta::assert_snapshot!(text);
}

/// The finding about the one change of a tool.
fn diagnose(code: &str, tool: &str, document: Option<&Document>) -> Diagnostic {
    let rule = aileron_compiler::rules::find(code).unwrap();
    let changes = compare(rule, "breaks").changes;
    let found = changes.iter().find(|found| found.tool == tool).unwrap();
    breaking::diagnose(found, document, "tool_registry.json")
}

fn words(finding: &Diagnostic) -> [&str; 3] {
    [&finding.source.path, &finding.message, finding.help.as_deref().unwrap()]
}

#[test]
fn a_violation_is_placed_in_the_schema() {
    let path = root().join("BOUNDS_NO_TIGHTEN/breaks/current/maximum/schema.json");
    let source = Source::new("tools/maximum/schema.json", std::fs::read_to_string(path).unwrap());
    let document = Document::parse(&source, &mut Vec::new()).unwrap();
    let finding = diagnose("BOUNDS_NO_TIGHTEN", "maximum", Some(&document));
    assert_eq!(&source.text[finding.span.clone().unwrap()], "\"maximum\"");
    assert_eq!(finding.pointer.as_deref(), Some("/parameters/properties/value/maximum"));
    assert_eq!(
        words(&finding),
        [
            "tools/maximum/schema.json",
            "tool `maximum`: parameter `value`: `maximum: 50` became `maximum: 20`; this needs version 2.0.0 or later, found 1.4.2",
            "undo it, or raise `version` to 2.0.0",
        ]
    );
}

#[test]
fn a_violation_without_a_schema_is_about_the_registry() {
    assert_eq!(
        words(&diagnose("TOOL_NO_DELETE", "kb_search", None)),
        [
            "tool_registry.json",
            "tool `kb_search`: the tool is deleted, its last version was 1.4.2",
            "restore it and say in its description that it is deprecated; once nobody calls it, pass `--allow TOOL_NO_DELETE`",
        ]
    );
    assert_eq!(
        words(&diagnose("RATE_LIMIT_NO_TIGHTEN", "added", None)),
        [
            "tool_registry.json",
            "tool `added` at /rateLimit: `rateLimit` was no limit, is 10 calls in 60000 ms per user; this needs version 1.5.0 or later, found 1.4.2",
            "undo it, or raise `version` to 1.5.0",
        ]
    );
}
