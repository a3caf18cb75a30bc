//! `kb_search` and `kb_get` through every gate, over the knowledge base on disk.

use serde_json::{Value, json};

use super::{demo, small};
use crate::workspace::{Run, Workspace, repository};

/// Calls a shipped tool; what it says besides is not looked at.
fn call(workspace: &Workspace, tool: &str, args: &Value, more: &[&str]) -> Run {
    let tools = repository().join("tools");
    let args = args.to_string();
    let common = ["call", tool, &args, "--memory", "--tools", tools.to_str().unwrap()];
    workspace.run(&[&common[..], more].concat())
}

fn ids(run: &Run) -> Vec<String> {
    let answer = run.json();
    let results = answer["data"]["results"].as_array().expect(&run.stdout).clone();
    results.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_search_finds_what_was_ingested() {
    let workspace = demo();
    let run = call(&workspace, "kb_search", &json!({ "query": "lighting lead" }), &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let answer = run.json();
    let hit = &answer["data"]["results"][0];
    assert_eq!(hit["id"], "person:mira_holt");
    assert_eq!(hit["url"], "https://example.com/people/mira-holt");
    assert!(hit["snippet"].as_str().unwrap().contains("lighting lead"));
    assert!(hit["score"].as_f64().is_some_and(|score| (0.0..=1.0).contains(&score)));
    assert_eq!(answer["data"]["ranking"], Value::Null);
}

#[test]
fn by_voice_three_are_enough() {
    let workspace = demo();
    let query = json!({ "query": "render farm", "top_k": 10 });
    assert_eq!(ids(&call(&workspace, "kb_search", &query, &[])).len(), 10);
    assert_eq!(ids(&call(&workspace, "kb_search", &query, &["--mode", "voice"])).len(), 3);
}

#[test]
fn personal_records_are_for_those_who_are_known() {
    let workspace = demo();
    let query = json!({ "query": "Nora's birthday", "namespace": "personal" });
    let run = call(&workspace, "kb_search", &query, &[]);
    assert_eq!((run.code, run.json()["error"]["type"].as_str()), (1, Some("AUTH")));
    let known = call(&workspace, "kb_search", &query, &["--user", "ada"]);
    assert_eq!(ids(&known)[0], "person:nora_feld");
    let public = json!({ "query": "internships", "namespace": "public" });
    let public = ids(&call(&workspace, "kb_search", &public, &[]));
    assert!(public.contains(&"doc:faq_internships".to_owned()), "{public:?}");
    let wanted: Vec<&str> = public.iter().map(String::as_str).collect();
    let args = [&["kb", "get", "--format", "json"], &wanted[..]].concat();
    let fetched = workspace.ok(&args).json();
    let records = fetched["records"].as_array().unwrap();
    assert!(records.iter().all(|record| record["namespace"] == "public"), "{wanted:?}");
    let studio = call(&workspace, "kb_search", &json!({ "query": "Nora's birthday" }), &[]);
    assert!(!ids(&studio).contains(&"person:nora_feld".to_owned()));
}

#[test]
fn the_readers_are_those_of_the_settings() {
    let workspace = demo();
    workspace.write("aileron.toml", "[kb.readers]\nstudio = 'scope:team'\n");
    let query = json!({ "query": "lighting lead" });
    assert_eq!(call(&workspace, "kb_search", &query, &[]).json()["error"]["type"], "AUTH");
    assert_eq!(
        ids(&call(&workspace, "kb_search", &query, &["--scope", "team"]))[0],
        "person:mira_holt"
    );
}

#[test]
fn records_are_read_by_id_and_hidden_ones_do_not_show() {
    let workspace = demo();
    let wanted = json!({ "ids": ["project:atlas", "person:nora_feld", "person:mira_hlot"] });
    let run = call(&workspace, "kb_get", &wanted, &[]);
    assert_eq!(ids(&run), ["project:atlas"]);
    let missing = run.json()["data"]["missing"].clone();
    assert_eq!(
        (&missing[0]["id"], &missing[1]["id"]),
        (&json!("person:nora_feld"), &json!("person:mira_hlot"))
    );
    assert_eq!(missing[1]["closest"][0], "person:mira_holt");
    assert!(!missing[0]["closest"].to_string().contains("nora_feld"));
    let known = call(&workspace, "kb_get", &wanted, &["--user", "ada"]);
    assert_eq!(ids(&known), ["project:atlas", "person:nora_feld"]);
}

#[test]
fn without_a_knowledge_base_the_answer_says_how_to_make_one() {
    let workspace = Workspace::new();
    let args = [("kb_search", json!({ "query": "x" })), ("kb_get", json!({ "ids": ["x"] }))];
    for (tool, args) in args {
        let run = call(&workspace, tool, &args, &["--mode", "voice"]);
        assert_eq!(run.code, 1);
        let error = run.json()["error"].clone();
        assert_eq!(error["type"], "PERMANENT");
        let message = error["message"].as_str().unwrap();
        assert!(message.ends_with("make one with `aileron kb ingest`"), "{message}");
    }
    assert!(!workspace.path(".aileron").exists());
}

#[test]
fn search_by_words_alone_is_said_in_the_answer() {
    let workspace = small();
    workspace.write("aileron.toml", "[kb.embeddings]\nengine = 'none'\n");
    let answer = call(&workspace, "kb_search", &json!({ "query": "access" }), &[]).json();
    assert_eq!(
        (&answer["data"]["ranking"], &answer["data"]["results"][0]["id"]),
        (&json!("words"), &json!("doc:farm"))
    );
}
