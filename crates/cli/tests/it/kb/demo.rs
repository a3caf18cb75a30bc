//! The questions of `demo/questions.md`, asked with the shipped settings.

use serde_json::Value;

use super::demo;
use crate::workspace::{Workspace, repository};

/// One line of the table.
struct Question {
    number: String,
    text: String,
    namespace: String,
    filters: Value,
    answers: Vec<String>,
}

fn questions() -> Vec<Question> {
    let page = std::fs::read_to_string(repository().join("demo/questions.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| #"));
    rows.map(question).collect()
}

fn question(row: &str) -> Question {
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let filters = cells[3].trim_matches('`');
    Question {
        number: cells[0].to_owned(),
        text: cells[1].to_owned(),
        namespace: cells[2].to_owned(),
        filters: serde_json::from_str(if filters.is_empty() { "{}" } else { filters }).unwrap(),
        answers: cells[4].split_whitespace().map(|id| id.trim_matches('`').to_owned()).collect(),
    }
}

/// The filters of `kb_search` as options.
fn options(question: &Question) -> Vec<String> {
    let mut options = vec!["--namespace".to_owned(), question.namespace.clone()];
    let mut add = |name: &str, value: &Value| {
        options.extend(value.as_str().map(|value| format!("{name}={value}")));
    };
    add("--type", &question.filters["type"]);
    add("--since", &question.filters["date_range"]["start"]);
    add("--until", &question.filters["date_range"]["end"]);
    for tag in question.filters["tags"].as_array().into_iter().flatten() {
        add("--tag", tag);
    }
    options
}

fn top_five(workspace: &Workspace, question: &Question) -> Vec<String> {
    let options = options(question);
    let mut args = vec![question.text.as_str()];
    args.extend(options.iter().map(String::as_str));
    super::found(workspace, &args)
}

#[test]
fn every_question_of_the_demo_has_its_best_answer_among_the_first_five() {
    let workspace = demo();
    let questions = questions();
    assert_eq!(questions.len(), 25);
    let mut lost = Vec::new();
    for question in &questions {
        let found = top_five(&workspace, question);
        if !found.contains(&question.answers[0]) {
            lost.push(format!("{}. {}: {found:?}", question.number, question.text));
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
