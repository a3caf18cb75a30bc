//! Calls that are refused, and the messages.

use super::ADA;
use crate::workspace::Workspace;

/// The message of the refusal of these arguments.
fn refusal(args: &[u8]) -> String {
    let run = Workspace::with_tool().with_stdin(&["call", "greet_person", "-", "--memory"], args);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let answer = run.json();
    assert_eq!(answer["error"]["type"], "VALIDATION");
    answer["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn arguments_are_read_strictly() {
    for (args, expected) in [
        ("{\"name\":".to_owned(), "EOF while parsing a value"),
        (r#"{"name":"a","name":"b"}"#.to_owned(), "the key \"name\" twice"),
        (format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)), "nested at most 64 deep"),
        ("{} {}".to_owned(), "trailing characters"),
        (String::new(), "EOF while parsing"),
        ("[]".to_owned(), "expected the arguments to be an object, found an array"),
        (format!("{{\"name\":\"{}\"}}", "x".repeat(1 << 20)), "expected at most 1048576 bytes"),
    ] {
        let message = refusal(args.as_bytes());
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn stdin_that_is_no_text_is_wrong_usage() {
    let run = Workspace::with_tool().with_stdin(&["call", "greet_person", "-"], b"\xff\xfe");
    let expected = "error: expected the arguments on stdin as UTF-8, found other bytes\n";
    assert_eq!((run.code, run.stderr.as_str()), (2, expected));
}

#[test]
fn an_unknown_tool_gets_the_closest() {
    let run = Workspace::with_tool().run(&["call", "great_person", "--memory"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.json()["error"]["type"], "NOT_FOUND");
    assert_eq!(run.json()["error"]["suggestion"], "the closest are: greet_person");
}

#[test]
fn a_mode_the_tool_does_not_allow_is_refused_and_one_that_is_none_is_wrong_usage() {
    let workspace = Workspace::with_tool();
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "[\"text\", \"voice\"]", "[\"text\"]");
    let run = workspace.run(&["call", "greet_person", ADA, "--mode", "voice", "--memory"]);
    assert_eq!((run.code, run.json()["error"]["type"].as_str()), (1, Some("MODE_RESTRICTED")));
    assert_eq!(workspace.run(&["call", "greet_person", "--mode", "smoke"]).code, 2);
}

#[test]
fn a_conversation_stays_what_it_was() {
    let workspace = Workspace::with_tool();
    let call = |more: &[&str]| {
        workspace.run(&[&["call", "greet_person", ADA, "--conversation", "c"], more].concat())
    };
    assert_eq!(call(&[]).code, 0);
    let other_mode = call(&["--mode", "voice"]);
    let expected = "error: the conversation is held in text; move it first, or open another one\n";
    assert_eq!((other_mode.code, other_mode.stderr.as_str()), (2, expected));
    let other_person = call(&["--user", "eve"]);
    let expected = "error: the conversation belongs to someone else\n";
    assert_eq!((other_person.code, other_person.stderr.as_str()), (2, expected));
    workspace.replace("tools/greet-person/handler.js", "Hello", "Hi");
    std::fs::remove_dir_all(workspace.path(".aileron/registries")).unwrap();
    let other_tools = call(&[]);
    assert_eq!(other_tools.code, 2);
    assert!(other_tools.stderr.starts_with("error: the conversation began with registry 1.0."));
}

#[test]
fn a_registry_that_was_changed_is_refused() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["build"]);
    workspace.replace("tool_registry.json", "Hello, ", "Hi, ");
    let run = workspace.run(&["call", "greet_person", ADA, "--registry", "tool_registry.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.starts_with("error: `tool_registry.json` cannot be used: "),
        "{}",
        run.stderr
    );
}

#[test]
fn tools_with_handlers_this_binary_does_not_have_are_refused_by_name() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["new", "other-tool", "--handler", "rust"]);
    let run = workspace.run(&["call", "greet_person", ADA]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("AIL-H016") && run.stderr.contains("other-tool"), "{}", run.stderr);
}

#[test]
fn tools_with_faults_are_not_called() {
    let workspace = Workspace::with_tool();
    workspace.replace("tools/greet-person/schema.json", "maxLength", "maxLenght");
    let run = workspace.run(&["call", "greet_person", ADA]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("AIL-A001"), "{}", run.stderr);
    assert!(run.stderr.ends_with("error: the tools of `tools` have 1 error\n"), "{}", run.stderr);
    assert!(!workspace.path(".aileron").exists());
}

#[test]
fn options_that_exclude_each_other_are_wrong_usage() {
    let workspace = Workspace::with_tool();
    for more in [
        &["--memory", "--store", "x.db"][..],
        &["--dry-run", "--confirm"],
        &["--conversation", ""],
        &["--registry", "none.json"],
        &["--config", "none.toml"],
    ] {
        let run = workspace.run(&[&["call", "greet_person", ADA], more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{more:?}");
    }
}
