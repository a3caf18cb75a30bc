//! The artifact: the same bytes everywhere, written whole, readable alone.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use aileron_contract::Artifact;

use crate::workspace::{Workspace, repository};

fn build(workspace: &Workspace) -> String {
    workspace.ok(&["build"]);
    workspace.read("tool_registry.json")
}

#[test]
fn line_ends_file_times_and_byte_order_do_not_matter() {
    let workspace = Workspace::with_tool();
    let first = build(&workspace);
    for file in ["schema.json", "guide.md", "handler.js", "cases.json"] {
        let path = format!("tools/greet-person/{file}");
        let text = workspace.read(&path).replace('\n', "\r\n");
        fs::remove_file(workspace.path(&path)).unwrap();
        workspace.write(&path, text);
    }
    assert_eq!(build(&workspace), first);
}

#[test]
fn another_folder_gives_the_same_bytes() {
    let (one, other) = (Workspace::with_tool(), Workspace::with_tool());
    one.ok(&["new", "second"]);
    other.ok(&["new", "alpha"]);
    other.ok(&["new", "second"]);
    fs::remove_dir_all(other.path("tools/alpha")).unwrap();
    assert_eq!(build(&one), build(&other));
}

#[test]
fn reordered_keys_and_white_space_do_not_change_the_version() {
    let workspace = Workspace::with_tool();
    let first = build(&workspace);
    let value: serde_json::Value =
        serde_json::from_str(&workspace.read("tools/greet-person/schema.json")).unwrap();
    workspace.write("tools/greet-person/schema.json", value.to_string());
    assert_eq!(build(&workspace), first);
}

#[test]
fn schema_docs_and_code_all_count() {
    let workspace = Workspace::with_tool();
    let mut versions = vec![version(&build(&workspace))];
    for (file, from, to) in [
        ("schema.json", "\"latencyBudgetMs\": 500", "\"latencyBudgetMs\": 501"),
        ("guide.md", "Do not guess", "Never guess"),
        ("handler.js", "Hello", "Welcome"),
    ] {
        workspace.replace(&format!("tools/greet-person/{file}"), from, to);
        versions.push(version(&build(&workspace)));
    }
    versions.sort();
    versions.dedup();
    assert_eq!(versions.len(), 4, "{versions:?}");
}

fn version(artifact: &str) -> String {
    Artifact::read(artifact).unwrap().version
}

#[test]
fn commit_and_time_are_recorded_outside_of_the_hash() {
    let workspace = Workspace::with_tool();
    let without = Artifact::read(&build(&workspace)).unwrap();
    assert_eq!(
        (without.git_commit.as_deref(), without.build_timestamp.as_deref()),
        (None, Some("2027-01-15T08:00:00Z"))
    );
    commit_all(&workspace);
    let with = Artifact::read(&build(&workspace)).unwrap();
    assert_eq!(with.git_commit.map(|commit| commit.len()), Some(12));
    assert_eq!(with.content_hash, without.content_hash);
}

/// Makes the folder a repository with one commit.
pub(crate) fn commit_all(workspace: &Workspace) {
    workspace.system("git", &["init", "--quiet"]);
    workspace.system("git", &["add", "--all"]);
    let author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    workspace.system("git", &[&author[..], &["commit", "--quiet", "--message", "Tools"]].concat());
}

#[test]
fn the_artifact_carries_the_code_and_its_imports() {
    let workspace = Workspace::new();
    let tools = repository().join("tools");
    workspace.ok(&["build", "--tools", tools.to_str().unwrap()]);
    let artifact = Artifact::read(&workspace.read("tool_registry.json")).unwrap();
    let text =
        serde_json::to_string(&artifact.tool("calendar_propose_event").unwrap().handler).unwrap();
    assert!(
        text.contains("\"calendar-propose-event/slots.js\":") && text.contains("\"_lib/"),
        "{text}"
    );
    assert!(!workspace.read("tool_registry.json").contains(repository().to_str().unwrap()));
}

#[test]
fn a_build_that_is_killed_leaves_a_whole_artifact() {
    let workspace = Workspace::new();
    for number in 0..60 {
        workspace.ok(&["new", &format!("tool-{number}")]);
    }
    let first = build(&workspace);
    for round in 0..40_u64 {
        workspace.replace("tools/tool-0/handler.js", "Hello", "Hello");
        let mut child = workspace.command().args(["build"]).stderr(Stdio::null()).spawn().unwrap();
        pause(Duration::from_micros(500 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(version(&workspace.read("tool_registry.json")), version(&first));
    }
}

#[expect(clippy::disallowed_methods, reason = "the point of the kill is a moment in time")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}

#[test]
fn watch_builds_again_when_a_file_changes() {
    let workspace = Workspace::with_tool();
    let mut child =
        workspace.command().args(["build", "--watch"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let mut next_build =
        || lines.by_ref().map(Result::unwrap).find(|line| line.contains("built: ")).unwrap();
    let first = next_build();
    workspace.replace("tools/greet-person/handler.js", "Hello", "Welcome");
    let second = next_build();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_ne!(first.split(',').next(), second.split(',').next());
}

#[test]
fn the_mode_of_the_file_is_that_of_any_other() {
    let workspace = Workspace::with_tool();
    build(&workspace);
    let output = Command::new("sh").args(["-c", "umask"]).output().unwrap();
    let umask = u32::from_str_radix(String::from_utf8(output.stdout).unwrap().trim(), 8).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(workspace.path("tool_registry.json")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o666 & !umask);
}
