//! Cases are added to a file without changing the others.

use serde_json::json;

use super::*;

const SCHEMA: &str = r#"{
  "toolId": "kb_search", "version": "1.0.0", "description": "Finds records.",
  "category": "retrieval", "sideEffects": "none", "idempotent": true,
  "requiresConfirmation": false, "allowedModes": ["text"], "latencyBudgetMs": 100,
  "parameters": { "type": "object", "additionalProperties": false,
    "properties": { "query": { "type": "string", "description": "The words to find" } } }
}"#;

fn case(name: &str) -> Value {
    json!({ "name": name, "args": {}, "expect": { "ok": true } })
}

fn folder(cases: Option<&str>) -> (tempfile::TempDir, ToolFolder) {
    let home = tempfile::tempdir().unwrap();
    let tool = home.path().join("kb-search");
    fs::create_dir(&tool).unwrap();
    cases.iter().for_each(|cases| fs::write(tool.join(CASES), cases).unwrap());
    fs::write(tool.join("schema.json"), SCHEMA).unwrap();
    fs::write(tool.join("guide.md"), "# kb_search\nFinds records.\n").unwrap();
    fs::write(tool.join("handler.js"), "export async function execute() {}\n").unwrap();
    let folder = ToolFolder::new(Some(home.path().to_owned()), Options::default());
    (home, folder)
}

#[test]
fn a_first_case_makes_the_file() {
    let (home, folder) = folder(None);
    let file = folder.save_case("kb_search", case("first")).unwrap();
    assert!(file.ends_with("cases.json"));
    let text = fs::read_to_string(home.path().join("kb-search/cases.json")).unwrap();
    assert_eq!(cases::read(&text).unwrap()[0].name, "first");
}

#[test]
fn a_further_case_leaves_the_others_as_they_are_written() {
    let before = "[\n  { \"name\": \"a\",   \"args\": {}, \"expect\": { \"ok\": true } }\n]\n";
    let (home, folder) = folder(Some(before));
    folder.save_case("kb_search", case("b")).unwrap();
    let text = fs::read_to_string(home.path().join("kb-search/cases.json")).unwrap();
    assert!(text.starts_with(before.trim_end_matches("\n]\n")), "{text}");
    assert_eq!(cases::read(&text).unwrap().len(), 2);
}

#[test]
fn a_name_that_is_taken_and_a_case_without_arguments_are_refused() {
    let (_home, folder) = folder(None);
    folder.save_case("kb_search", case("a")).unwrap();
    let taken = folder.save_case("kb_search", case("a")).unwrap_err();
    assert_eq!(
        taken,
        SaveCaseError::Invalid("a case is already called \"a\"; choose another name".to_owned())
    );
    let wrong = folder.save_case("kb_search", json!({ "name": "x" }));
    assert!(matches!(wrong, Err(SaveCaseError::Invalid(_))));
}

#[test]
fn a_tool_without_sources_is_told_apart() {
    let (_home, folder) = folder(None);
    assert_eq!(folder.save_case("kb_get", case("a")), Err(SaveCaseError::NoSources));
    assert_eq!(folder.save_case("../kb_search", case("a")), Err(SaveCaseError::NoSources));
    let none = ToolFolder::new(None, Options::default());
    assert_eq!(none.save_case("kb_search", case("a")), Err(SaveCaseError::NoSources));
}

#[test]
fn a_case_that_would_stop_the_build_is_refused_in_the_words_of_the_compiler() {
    let (home, folder) = folder(None);
    folder.save_case("kb_search", case("a")).unwrap();
    let path = home.path().join("kb-search/cases.json");
    let before = fs::read_to_string(&path).unwrap();
    let wrong = |name: &str, args: Value| {
        let case = json!({ "name": name, "args": args, "expect": { "ok": true } });
        match folder.save_case("kb_search", case) {
            Err(SaveCaseError::Invalid(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    assert!(wrong("b", json!({ "query": 5 })).contains("AIL-C002"), "invalid arguments");
    assert!(wrong("", json!({})).contains("AIL-C"), "no name");
    assert!(wrong("c", json!("text")).contains("AIL-C"), "arguments that are no object");
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}
