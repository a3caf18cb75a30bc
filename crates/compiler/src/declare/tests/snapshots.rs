//! One tool, every provider's declaration side by side.

use std::fmt::Write;

use super::rules::faults;
use super::*;

fn side_by_side(tool: &Value) -> String {
    let mut text = String::new();
    for (target, form) in FORMS {
        let declaration = declare(tool, target, form).unwrap();
        let json = serde_json::to_string_pretty(&declaration.value).unwrap();
        let strict = if form == OpenAiForm::Strict { " (strict)" } else { "" };
        writeln!(text, "=== {target}{strict}\n{json}").unwrap();
        let refused = declaration.losses.iter().any(|loss| loss.kind.is_refusal());
        assert!(refused || faults(target, form, &declaration.value).is_empty(), "{target}");
        for loss in &declaration.losses {
            writeln!(text, "{:?}: {}", loss.kind, loss.message).unwrap();
        }
        text.push('\n');
    }
    text
}

fn check(name: &str, tool: &str) {
    let tool = serde_json::from_str(tool).unwrap();
    insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, side_by_side(&tool));
    });
}

#[test]
fn kb_search() {
    check("kb_search", include_str!("tools/kb_search.json"));
}

#[test]
fn every_keyword() {
    check("every_keyword", include_str!("tools/every_keyword.json"));
}

#[test]
fn recursion() {
    check("recursion", include_str!("tools/recursion.json"));
}

#[test]
fn no_parameters() {
    check("no_parameters", include_str!("tools/no_parameters.json"));
}
