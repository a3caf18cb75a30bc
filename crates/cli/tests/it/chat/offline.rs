//! Without a key: rules answer, through the same loop, gate, store and records.

use serde_json::Value;

use super::{chat, demo};
use crate::workspace::{Workspace, repository};

const WHO: &str = "Who runs the lighting review?";

#[test]
fn one_message_is_answered_with_citations_and_labelled_offline() {
    let workspace = demo();
    let run = chat(&workspace, &[WHO, "--conversation", "c"], "");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("Mira Holt"), "{}", run.stdout);
    assert!(run.stderr.starts_with("offline: "), "{}", run.stderr);
    assert!(run.stderr.contains("  kb_search {\""), "{}", run.stderr);
    assert!(run.stderr.contains("[person:mira_holt] Mira Holt https://"), "{}", run.stderr);
}

#[test]
fn the_shipped_tools_and_the_demo_are_there_at_the_first_message() {
    let workspace = Workspace::new();
    let source = repository().to_str().unwrap();
    workspace.system("mkdir", &["demo"]);
    workspace.system("cp", &["-r", &format!("{source}/tools"), "."]);
    workspace.system("cp", &["-r", &format!("{source}/demo/knowledge"), "demo"]);
    let run = chat(&workspace, &[WHO], "");
    assert!(run.stdout.contains("Mira Holt"), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("65 records taken in"), "{}", run.stderr);
    let again = chat(&workspace, &[WHO], "");
    assert!(!again.stderr.contains("taken in"), "only once: {}", again.stderr);
}

#[test]
fn nobody_is_told_to_ask_again_where_there_is_no_knowledge_base() {
    let workspace = Workspace::new();
    let source = repository().to_str().unwrap();
    workspace.system("cp", &["-r", &format!("{source}/tools"), "."]);
    let run = chat(&workspace, &[WHO], "");
    let expected = "kb_search: PERMANENT: could not search the knowledge base: there is no knowledge \
                    base at .aileron/kb; make one with `aileron kb ingest`";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert!(!run.stdout.contains("ask again"), "{}", run.stdout);
}

#[test]
fn json_is_one_event_a_line_and_nothing_else() {
    let run = chat(&demo(), &[WHO, "--json", "--memory"], "");
    let events: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types[..2], ["conversation", "began"]);
    assert_eq!(types.last(), Some(&"finished"));
    assert_eq!(events[0]["provider"], "offline");
    assert!(events[0]["id"].as_str().unwrap().starts_with("chat-"), "{}", events[0]);
    for expected in ["called", "answered", "text", "sources", "usage"] {
        assert!(types.contains(&expected), "{types:?}");
    }
    assert_eq!(run.stderr, "");
}

#[test]
fn a_conversation_goes_on_in_another_process() {
    let workspace = demo();
    let args = |text| [text, "--conversation", "c", "--json"];
    chat(&workspace, &args(WHO), "");
    let run = chat(&workspace, &args("thanks"), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["id"], lines[1]["turn"].as_u64()), (&Value::from("c"), Some(2)));
}

#[test]
fn each_line_of_a_pipe_is_a_message() {
    let input = format!("{WHO}\n\nthanks\n");
    let run = chat(&demo(), &["--memory"], &input);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains(&format!("> {WHO}\n")), "{}", run.stderr);
    assert!(run.stderr.contains("> thanks\n"), "{}", run.stderr);
}

#[test]
fn all_of_stdin_can_be_one_message() {
    let run = chat(&demo(), &["-", "--memory", "--json"], &format!("{WHO}\nPlease.\n"));
    let turns = run.stdout.lines().filter(|line| line.contains("\"type\":\"began\"")).count();
    assert_eq!((run.code, turns), (0, 1));
}

#[test]
fn voice_has_its_own_tools_and_limits() {
    let run = chat(&demo(), &["goodbye", "--memory", "--mode", "voice", "--json"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("end_voice_session"), "{}", run.stdout);
}

#[test]
fn an_empty_message_is_wrong_usage_and_a_folder_without_tools_is_named() {
    let run = chat(&demo(), &["  ", "--memory"], "");
    assert_eq!(run.code, 2);
    assert!(run.stderr.ends_with("error: expected words in the message, found none\n"));
    let run = chat(&Workspace::new(), &["hi", "--memory"], "");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("tools folder `tools` does not exist"), "{}", run.stderr);
}

#[test]
fn whoever_does_not_say_who_they_are_is_the_person_at_this_machine() {
    let workspace = demo();
    let run = chat(&workspace, &[], "you idiot\nyou stupid idiot, shut up\n");
    assert!(run.stderr.contains("(you are blocked for a while)"), "{}", run.stderr);
    let told = run.stderr.lines().find(|line| line.starts_with("  for you: ")).unwrap();
    assert!(told.ends_with(" s)") && !told.contains('{'), "{told}");
    let again = chat(&workspace, &["hello?"], "");
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("the person is blocked for another "), "{}", again.stderr);
}

#[test]
fn an_abusive_person_is_blocked_and_stays_so() {
    let workspace = demo();
    let args = ["--conversation", "c", "--user", "eve"];
    let run = chat(&workspace, &args, "you idiot\nyou stupid idiot, shut up\nhello?\n");
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("the person is blocked for another "), "{}", run.stderr);
    let again = chat(&workspace, &["hello?", "--conversation", "d", "--user", "eve"], "");
    assert!(again.stderr.contains("the person is blocked for another "), "{}", again.stderr);
}
