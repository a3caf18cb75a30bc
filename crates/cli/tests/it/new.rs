//! A tool created by the command builds without changes and warnings.

use crate::workspace::Workspace;

#[test]
fn every_kind_of_new_tool_builds_without_a_warning() {
    for category in ["retrieval", "action", "utility"] {
        for handler in ["js", "ts"] {
            let workspace = Workspace::new();
            let made = workspace.ok(&[
                "new",
                "greet-person",
                "--category",
                category,
                "--handler",
                handler,
            ]);
            assert_eq!(made.stdout.lines().count(), 4);
            let run = workspace.ok(&["build", "--deny-warnings", "--format", "json"]);
            assert_eq!(run.codes(), [""; 0], "{category} {handler}");
        }
    }
}

/// A handler that was written after the binary was built cannot be part of it.
#[test]
fn a_new_native_tool_says_what_it_needs_when_it_is_made_and_when_it_is_built() {
    let workspace = Workspace::new();
    workspace.ok(&["new", "greet-friend"]);
    let made = workspace.ok(&["new", "greet-person", "--handler", "rust"]);
    let tools = std::fs::canonicalize(workspace.path("tools")).unwrap();
    let command = format!(
        "AILERON_NATIVE_TOOLS={0} cargo run -p aileron-cli -- test greet_person --tools {0}",
        tools.display()
    );
    assert!(made.stderr.contains(&command), "{}", made.stderr);
    for command in ["build", "check"] {
        let run = workspace.run(&[command, "--format", "json"]);
        assert_eq!((run.code, run.codes()), (1, vec!["AIL-H016".to_owned()]), "{command}");
    }
    for command in [&["call", "greet_friend", "{}", "--memory"][..], &["test"]] {
        let run = workspace.run(command);
        assert!(run.stderr.contains("AIL-H016"), "{command:?}: {}", run.stderr);
        assert!(run.stderr.contains("greet-person/handler.rs"), "{command:?}: {}", run.stderr);
    }
}

#[test]
fn dashes_and_underscores_name_the_same_tool() {
    let workspace = Workspace::new();
    workspace.ok(&["new", "greet_person"]);
    assert!(workspace.path("tools/greet-person/schema.json").is_file());
    let again = workspace.run(&["new", "greet-person"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
}

#[test]
fn names_that_cannot_be_tools_are_refused_before_anything_is_written() {
    for name in ["", "../evil", "Greet", "2fa", "a b", "a/b", "-x", &"a".repeat(65)] {
        let workspace = Workspace::new();
        let run = workspace.run(&["new", "--", name]);
        assert_eq!(run.code, 2, "{name}");
        assert!(!workspace.path("tools").exists(), "{name}");
    }
}
