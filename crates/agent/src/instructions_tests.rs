//! The instructions of a model, for each mode and each size of toolset.

use std::path::Path;

use aileron_compiler::emit::{self, BuildStamp};
use aileron_compiler::{Options, compile_folder};
use aileron_orchestrator::Config;
use aileron_runtime::Registry;

use super::*;

fn shipped() -> Arc<Registry> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools");
    let compilation = compile_folder(&tools, &Options::default(), &|_, _| {});
    let mut text = Vec::new();
    emit::write(&compilation.tools, &BuildStamp::default(), &mut text).unwrap();
    Registry::load_rules(std::str::from_utf8(&text).unwrap()).unwrap()
}

/// The instructions for the tools that a mode allows, under a version that does not change.
fn composed(mode: Mode, tools: ToolDocs, budget_tokens: usize) -> Instructions {
    let registry = shipped();
    let options = InstructionOptions { tools, budget_tokens, ..InstructionOptions::default() };
    let allowed = |tool: &&Arc<Tool>| tool.spec().allowed_modes.contains(mode);
    let offered: Vec<_> = registry.tools().iter().filter(allowed).cloned().collect();
    options.compose(mode, *Config::default().budgets.of(mode), "1.0.00000000", &offered)
}

fn ids(instructions: &Instructions) -> Vec<&str> {
    instructions.tools().iter().map(|tool| tool.spec().tool_id.as_str()).collect()
}

#[test]
fn voice_reads_this() {
    insta::assert_snapshot!(composed(Mode::Voice, ToolDocs::Auto, BUDGET_TOKENS).text());
}

#[test]
fn text_reads_this() {
    insta::assert_snapshot!(composed(Mode::Text, ToolDocs::Auto, BUDGET_TOKENS).text());
}

#[test]
fn summaries_read_like_this() {
    insta::assert_snapshot!(composed(Mode::Voice, ToolDocs::Summary, BUDGET_TOKENS).text());
}

#[test]
fn guides_that_fit_the_budget_are_told_whole_and_need_no_reader() {
    let whole = composed(Mode::Text, ToolDocs::Full, 0);
    let guides = whole.parts()[2].tokens();
    let fits = composed(Mode::Text, ToolDocs::Auto, guides);
    assert_eq!(fits.text(), whole.text());
    assert!(!ids(&fits).contains(&DESCRIBE_TOOL));
    assert!(!fits.text().contains("summaries"));
}

#[test]
fn guides_beyond_the_budget_become_summaries_with_a_reader() {
    let short = composed(Mode::Text, ToolDocs::Auto, 1000);
    assert_eq!(short.text(), composed(Mode::Text, ToolDocs::Summary, 0).text());
    assert!(ids(&short).contains(&DESCRIBE_TOOL));
    assert!(short.parts()[2].tokens() < 1000, "{}", short.parts()[2].tokens());
}

#[test]
fn only_tools_of_the_mode_are_told_and_declared() {
    let voice = composed(Mode::Voice, ToolDocs::Auto, BUDGET_TOKENS);
    assert!(ids(&voice).contains(&"end_voice_session"));
    assert!(!voice.text().contains("calendar_create_event"));
    let declared = voice.declarations(Provider::GeminiJsonSchema);
    let names: Vec<_> = declared.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ids(&voice));
}

#[test]
fn without_tools_the_model_is_told_so_and_nothing_of_looking() {
    let options = InstructionOptions::default();
    let none = options.compose(Mode::Text, Budget { retrieval: 5, total: 10 }, "1.0.0", &[]);
    assert!(none.text().contains("There are none in this conversation."));
    assert!(!none.text().contains("Look first"));
}

#[test]
fn a_folder_replaces_the_prompts_it_has() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("core.md"), "Be brief.").unwrap();
    let prompts = Prompts::load(folder.path()).unwrap();
    assert_eq!(prompts, Prompts { core: "Be brief.".to_owned(), ..Prompts::default() });
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Prompts::load(&folder.path().join("none")).unwrap_err().to_string();
    assert!(missing.ends_with("expected a folder, found none; make it or leave out `prompt.path`"));
    std::fs::write(folder.path().join("text-behavior.md"), [0xff, 0xfe]).unwrap();
    let broken = Prompts::load(folder.path()).unwrap_err().to_string();
    assert!(broken.contains("text-behavior.md") && broken.contains("expected UTF-8"), "{broken}");
}

#[test]
fn a_guest_is_said_to_be_one_before_the_time() {
    let told = composed(Mode::Text, ToolDocs::Summary, BUDGET_TOKENS).for_guest().at(0);
    let names: Vec<_> = told.parts().iter().map(|part| part.name).collect();
    assert_eq!(names[names.len() - 2..], ["person", "now"]);
    assert!(told.text().contains("The person is not signed in: "));
}

#[test]
fn the_time_stands_at_the_end() {
    let told = composed(Mode::Text, ToolDocs::Summary, BUDGET_TOKENS).at(1_770_112_800_000);
    assert!(told.text().ends_with("\n\nToday is Tuesday, 2026-02-03T10:00:00Z.\n"));
    assert_eq!(told.parts().last().map(|part| part.name), Some("now"));
}
