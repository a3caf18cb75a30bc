//! Confirmations: by option, at a terminal, or none.

use super::ADA;
use crate::workspace::{Run, Workspace};

/// A workspace whose tool asks before it runs.
fn asking() -> Workspace {
    let workspace = Workspace::new();
    workspace.ok(&["new", "greet-person", "--category", "action"]);
    workspace
}

#[test]
fn nobody_at_the_terminal_means_no_call_and_a_hint() {
    let workspace = asking();
    let run = workspace.run(&["call", "greet_person", ADA, "--conversation", "c"]);
    assert_eq!(run.code, 1);
    let answer = run.json();
    assert_eq!(answer["error"]["type"], "CONFIRMATION_REQUIRED");
    assert_eq!(
        answer["error"]["confirmation_request"]["preview"],
        "greet_person {\"name\":\"Ada\"}"
    );
    assert_eq!(
        run.stderr,
        "no person at the terminal can approve it; add --conversation c --confirm to approve it yourself\n"
    );
}

#[test]
fn an_option_approves_without_asking() {
    let run = asking().ok(&["call", "greet_person", ADA, "--confirm", "--memory"]);
    assert_eq!(
        (run.json()["data"]["greeting"].as_str(), run.stderr.as_str()),
        (Some("Hello, Ada!"), "")
    );
}

#[test]
fn a_question_of_one_process_can_be_answered_in_another() {
    let workspace = asking();
    let call = |more: &[&str]| {
        workspace.run(&[&["call", "greet_person", ADA, "--conversation", "c"], more].concat())
    };
    let token = |run: &Run| {
        run.json()["error"]["confirmation_request"]["token"].as_str().unwrap().to_owned()
    };
    let asked = token(&call(&[]));
    assert_eq!(token(&call(&[])), asked);
    let run = call(&["--confirm"]);
    let id = asked.split('.').next().unwrap();
    assert_eq!(run.json()["meta"]["callId"], format!("confirmed-{id}"));
    assert_eq!(run.code, 0);
}

#[test]
fn the_key_of_questions_is_made_once_and_private() {
    let workspace = asking();
    let key = || std::fs::read(workspace.path(".aileron/confirmation.key")).unwrap();
    workspace.run(&["call", "greet_person", ADA]);
    let first = key();
    assert_eq!(first.len(), 32);
    workspace.run(&["call", "greet_person", ADA]);
    assert_eq!(key(), first);
    workspace.write(".aileron/confirmation.key", "short");
    let run = workspace.run(&["call", "greet_person", ADA]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("expected 32 bytes, found 5"), "{}", run.stderr);
}

/// Runs the call at a terminal with this input; `None` without the program `script`.
#[cfg(target_os = "linux")]
fn at_a_terminal(workspace: &Workspace, typed: &str) -> Option<(Option<i32>, String)> {
    let command = format!("{} call greet_person '{ADA}'", env!("CARGO_BIN_EXE_aileron"));
    let line =
        format!("printf '{typed}' | script -qec \"{}\" /dev/null", command.replace('"', "\\\""));
    let output = std::process::Command::new("sh")
        .args(["-c", &line])
        .current_dir(workspace.path("."))
        .output();
    let output = output.unwrap();
    if output.status.code() == Some(127) {
        println!("skipped: there is no `script`");
        return None;
    }
    Some((output.status.code(), String::from_utf8_lossy(&output.stdout).replace('\r', "")))
}

#[cfg(target_os = "linux")]
#[test]
fn at_a_terminal_the_person_is_asked_and_no_is_the_default() {
    for (typed, code, word) in [
        ("y\\n", 0, "\"greeting\": \"Hello, Ada!\""),
        ("YES\\n", 0, "\"greeting\": \"Hello, Ada!\""),
        ("\\n", 1, "\"type\": \"DENIED\""),
        ("yesterday\\n", 1, "\"type\": \"DENIED\""),
        ("\\004", 1, "\"type\": \"DENIED\""),
    ] {
        let Some((found, shown)) = at_a_terminal(&asking(), typed) else { return };
        assert!(
            shown.contains("greet_person asks: greet_person {\"name\":\"Ada\"}\nApprove? [y/N] ")
        );
        assert!(shown.contains(word), "{typed}: {shown}");
        assert_eq!(found, Some(code), "{typed}: {shown}");
    }
}
