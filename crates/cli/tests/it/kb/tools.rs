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

#[test]
fn a_question_off_topic_finds_nothing_unless_weak_matches_are_asked_for() {
    let workspace = demo();
    for query in ["how do I bake sourdough bread", "volcanoes in Iceland"] {
        let run = call(&workspace, "kb_search", &json!({ "query": query }), &[]);
        assert_eq!(ids(&run), Vec::<String>::new(), "{}", run.stdout);
        let note = run.json()["data"]["notes"][0].as_str().unwrap().to_owned();
        assert!(note.starts_with("Nothing relevant was found"), "{note}");
        let weak = json!({ "query": query, "min_score": 0 });
        assert!(!ids(&call(&workspace, "kb_search", &weak, &[])).is_empty());
    }
}

#[test]
fn a_query_in_other_words_than_the_records_finds_them_by_meaning() {
    let workspace = demo();
    let found = ids(&call(&workspace, "kb_search", &json!({ "query": "vacation" }), &[]));
    assert!(found.contains(&"process:time_off".to_owned()), "{found:?}");
    let scored = json!({ "query": "vacation", "min_score": 0.24 });
    assert_eq!(ids(&call(&workspace, "kb_search", &scored, &[])), Vec::<String>::new());
}

#[test]
fn quotation_marks_hide_nothing_that_the_words_find() {
    let workspace = demo();
    for (query, first) in [
        ("\"who leads the lighting team\"", "person:mira_holt"),
        ("\"lighting lead\"", "person:mira_holt"),
        ("price of an hour on the \"render farm of 2026\"", "doc:render_farm"),
    ] {
        let run = call(&workspace, "kb_search", &json!({ "query": query }), &[]);
        assert!(ids(&run).contains(&first.to_owned()), "{query}: {}", run.stdout);
        let is_noted = run.json()["data"]["notes"].to_string().contains("does not occur");
        assert_eq!(is_noted, query != "\"lighting lead\"", "{}", run.stdout);
    }
}

#[test]
fn a_personal_record_changes_no_byte_of_a_public_answer() {
    let (with, without) = (Workspace::new(), Workspace::new());
    let public = |name: &str, text: &str| {
        json!({
            "id": format!("doc:{name}"), "title": name, "text": text, "namespace": "public",
            "last_updated": "2026-01-10",
        })
    };
    let records = [
        public("salaries", "Salaries are paid on the last day of the month."),
        public("farm", "The render farm has forty machines."),
        public("queue", "The queue of the farm is first come, first served."),
    ];
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    let private = json!({
        "id": "doc:salary_of_mira", "title": "Salary of Mira", "namespace": "personal",
        "text": "The salary of Mira Holt is 4711 a month. Farm, queue, forty, machnies.",
    });
    for workspace in [&with, &without] {
        workspace.write("public.jsonl", lines.join("\n"));
        workspace.ok(&["kb", "ingest", "public.jsonl"]);
    }
    with.write("private.jsonl", private.to_string());
    with.ok(&["kb", "ingest", "private.jsonl"]);
    let data = |workspace: &Workspace, tool: &str, args: &Value| {
        let mut data = call(workspace, tool, args, &[]).json()["data"].clone();
        data["query_time_ms"] = json!(0);
        data
    };
    for query in ["4711", "salary", "machnies", "mira holt", "farm queue", "\"salary of mira\""] {
        let args = json!({ "query": query, "namespace": "public", "min_score": 0 });
        let (one, other) = (data(&with, "kb_search", &args), data(&without, "kb_search", &args));
        assert_eq!(one, other, "{query}");
    }
    let args = json!({ "ids": ["doc:salary_of_mira", "doc:salary_of_mirx", "doc:salery"] });
    assert_eq!(data(&with, "kb_get", &args), data(&without, "kb_get", &args));
}
