//! The artifact: the same bytes everywhere, written whole, readable alone.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

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
    let text = serde_json::to_string(&artifact.tool("send_image").unwrap().handler).unwrap();
    assert!(text.contains("\"send-image/address.js\":") && text.contains("\"_lib/"), "{text}");
    assert!(!workspace.read("tool_registry.json").contains(repository().to_str().unwrap()));
}

#[test]
fn a_build_that_is_killed_leaves_the_old_artifact_or_the_new_one() {
    let workspace = Workspace::new();
    for number in 0..40 {
        workspace.ok(&["new", &format!("tool-{number}")]);
    }
    let mut known = vec![version(&build(&workspace))];
    let mut caught_writing = 0;
    for round in 0..30 {
        workspace.write(
            "tools/tool-0/handler.js",
            format!("export function execute() {{ return {round}; }}\n"),
        );
        let out = workspace.path("expected.json");
        workspace.ok(&["build", "--out", out.to_str().unwrap()]);
        known.push(version(&workspace.read("expected.json")));
        let mut child = workspace.command().arg("build").stderr(Stdio::null()).spawn().unwrap();
        caught_writing += usize::from(wait_for_the_hidden_file(&workspace, &mut child));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = version(&workspace.read("tool_registry.json"));
        assert!(known.contains(&found), "{found} was never built");
        remove_hidden_files(&workspace);
    }
    assert!(caught_writing > 0, "no build was killed while it wrote");
}

fn hidden_files(workspace: &Workspace) -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace.path(".")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains("/.tool_registry.")).collect()
}

fn remove_hidden_files(workspace: &Workspace) {
    hidden_files(workspace).iter().for_each(|path| fs::remove_file(path).unwrap());
}

/// Whether the file that becomes the artifact was seen before the build ended.
fn wait_for_the_hidden_file(workspace: &Workspace, child: &mut Child) -> bool {
    loop {
        if !hidden_files(workspace).is_empty() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
    }
}

/// A `build --watch` and the lines it says.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(workspace: &Workspace, args: &[&str]) -> Self {
        let mut child = workspace
            .command()
            .args(["build", "--watch"])
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { child, lines }
    }

    /// The next line with these words, if it comes in time.
    fn next(&self, words: &str, time: Duration) -> Option<String> {
        let until = Instant::now() + time;
        loop {
            let line =
                self.lines.recv_timeout(until.saturating_duration_since(Instant::now())).ok()?;
            if line.contains(words) {
                return Some(line);
            }
        }
    }

    fn built(&self) -> String {
        let line = self.next("built: ", Duration::from_secs(60)).expect("no build came");
        line.split(',').next().unwrap().to_owned()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn watch_builds_again_when_a_file_changes() {
    let workspace = Workspace::with_tool();
    let watch = Watch::start(&workspace, &[]);
    let first = watch.built();
    workspace.replace("tools/greet-person/handler.js", "Hello", "Welcome");
    assert_ne!(watch.built(), first);
}

#[test]
fn watch_is_not_woken_by_its_own_artifact() {
    let workspace = Workspace::with_tool();
    let watch = Watch::start(&workspace, &["--out", "tools/tool_registry.json"]);
    watch.built();
    assert_eq!(watch.next("built: ", Duration::from_millis(500)), None);
}

#[test]
fn watch_survives_a_folder_that_is_replaced() {
    let workspace = Workspace::with_tool();
    let watch = Watch::start(&workspace, &[]);
    let first = watch.built();
    workspace.system("sh", &["-c", "mv tools old && cp -r old tools"]);
    watch.next("watching", Duration::from_secs(60)).unwrap();
    workspace.replace("tools/greet-person/handler.js", "Hello", "Welcome");
    let later = (0..4).map(|_| watch.built()).find(|version| *version != first);
    assert!(later.is_some());
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
