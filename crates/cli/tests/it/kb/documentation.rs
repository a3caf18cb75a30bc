//! The examples of `docs/knowledge-base.md` are records.

use crate::workspace::{Workspace, repository};

/// The first block of this language.
fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn every_example_of_a_file_is_taken_in() {
    let page = std::fs::read_to_string(repository().join("docs/knowledge-base.md")).unwrap();
    let workspace = Workspace::new();
    workspace.write("notes/mira.md", block(&page, "markdown"));
    workspace.write("notes/faq.jsonl", block(&page, "json"));
    workspace.write("notes/links.csv", block(&page, "csv"));
    workspace.write("notes/how-to ship.md", "Put it on a ship.\n");
    workspace.ok(&["kb", "ingest", "notes"]);
    let export = workspace.ok(&["kb", "export"]).stdout;
    let records: Vec<serde_json::Value> =
        export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<_> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    let expected =
        ["doc:faq_internships", "doc:how-to_ship", "link:shot_tracker", "person:mira_holt"];
    assert_eq!(ids, expected);
    assert_eq!(records[2]["metadata"]["owner"], "Priya Nair");
    assert_eq!(records[3]["title"], "Mira Holt");
    assert_eq!(records[3]["last_updated"], "2026-01-10T00:00:00Z");
}
