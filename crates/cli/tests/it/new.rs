//! A tool made by the command builds at once, without a warning.

use crate::workspace::Workspace;

#[test]
fn every_kind_of_new_tool_builds_without_a_warning() {
    for category in ["retrieval", "action", "utility"] {
        for handler in ["js", "ts", "rust"] {
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
