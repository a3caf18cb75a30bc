//! `--against` and `diff`: artifacts, folders and git refs.

use crate::artifact::commit_all;
use crate::workspace::Workspace;

#[test]
fn a_broken_promise_fails_the_build_and_names_rule_pointer_and_version() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["build", "--out", "previous.json"]);
    workspace.replace("tools/greet-person/schema.json", "\"maxLength\": 100", "\"maxLength\": 50");
    let run = workspace.run(&["build", "--against", "previous.json"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[BOUNDS_NO_TIGHTEN]"), "{}", run.stderr);
    assert!(run.stderr.contains("tools/greet-person/schema.json:21:"), "{}", run.stderr);
    assert!(run.stderr.contains("2.0.0"), "{}", run.stderr);
    assert!(!workspace.path("tool_registry.json").exists());
    workspace.replace(
        "tools/greet-person/schema.json",
        "\"version\": \"1.0.0\"",
        "\"version\": \"2.0.0\"",
    );
    workspace.ok(&["build", "--against", "previous.json"]);
}

#[test]
fn git_refs_files_and_folders_are_all_compared() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["build", "--out", "previous.json"]);
    commit_all(&workspace);
    workspace.replace("tools/greet-person/schema.json", "\"maxLength\": 100", "\"maxLength\": 50");
    for previous in ["HEAD", "previous.json"] {
        let run = workspace.run(&["diff", previous, "tools", "--format", "json"]);
        assert_eq!(run.code, 1, "{previous}: {}", run.stderr);
        assert!(run.stdout.contains("BOUNDS_NO_TIGHTEN"), "{}", run.stdout);
    }
    workspace.ok(&["diff", "HEAD", "previous.json"]);
    let run = workspace.run(&["check", "--against", "HEAD"]);
    assert_eq!(run.code, 1);
}

#[test]
fn a_ref_that_is_none_is_wrong_usage() {
    let workspace = Workspace::with_tool();
    commit_all(&workspace);
    for word in ["no-such-ref", "--help-me", "HEAD~5"] {
        let run = workspace.run(&["diff", "--", word, "tools"]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("expected a file, a folder or a git ref"), "{}", run.stderr);
    }
}

#[test]
fn a_deleted_tool_is_a_broken_promise_that_can_be_allowed() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["new", "second"]);
    workspace.ok(&["build", "--out", "previous.json"]);
    std::fs::remove_dir_all(workspace.path("tools/second")).unwrap();
    let run = workspace.run(&["build", "--against", "previous.json"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[TOOL_NO_DELETE]"), "{}", run.stderr);
    workspace.ok(&["build", "--against", "previous.json", "--allow", "TOOL_NO_DELETE"]);
    assert_eq!(
        workspace.run(&["build", "--against", "previous.json", "--allow", "TOOL_NO_DELET"]).code,
        2
    );
}
