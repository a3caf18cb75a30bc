//! A kill, a full disk or a folder that cannot be written leaves the state before or after,
//! never neither; searches go on meanwhile.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{FOLDER, exported, found, small};
use crate::workspace::{Run, Workspace};

const RECORDS: usize = 600;
const KILLS: usize = 20;

/// Writes a version of a file with many records; half of them differ from version to version.
fn write(workspace: &Workspace, version: usize) {
    let line = |number: usize| {
        let word =
            if number.is_multiple_of(2) { format!("edition{version}") } else { "constant".into() };
        format!(
            "{{\"id\":\"doc:n{number}\",\"title\":\"Note {number}\",\"text\":\"{word} of note{number}\",\
             \"last_updated\":\"2026-01-01T00:00:00Z\"}}\n"
        )
    };
    workspace.write("many.jsonl", (0..RECORDS).map(line).collect::<String>());
}

fn start(workspace: &Workspace) -> Child {
    let mut command = workspace.command();
    command.args(["kb", "ingest", "many.jsonl"]).stderr(Stdio::null()).spawn().unwrap()
}

/// Takes in what is written, and says how long that took.
fn ingest(workspace: &Workspace) -> Duration {
    let began = Instant::now();
    workspace.ok(&["kb", "ingest", "many.jsonl"]);
    began.elapsed()
}

/// Waits by looking, so that a kill comes at any moment and not at the tick of a timer.
fn run_for(child: &mut Child, time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new_state() {
    let workspace = Workspace::new();
    write(&workspace, 0);
    let mut took = ingest(&workspace);
    let mut before = exported(&workspace);
    let (mut killed, mut kept) = (0, 0);
    for version in 1..=KILLS {
        write(&workspace, version);
        let edition = |version: usize| format!("edition{version} ");
        let after = before.replace(&edition(version - 1), &edition(version));
        let share = RandomState::new().hash_one(version) % 1000;
        let mut child = start(&workspace);
        run_for(&mut child, took.mul_f64(share as f64 / 1000.0));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().code().is_none());
        workspace.ok(&["kb", "stats", "--verify"]);
        let state = exported(&workspace);
        assert!(state == before || state == after, "neither the old nor the new state");
        kept += usize::from(state == before);
        assert_eq!(found(&workspace, &["Note 17"])[0], "doc:n17");
        assert_eq!(found(&workspace, &["note18", "--words", "-k", "1"]), ["doc:n18"]);
        took = ingest(&workspace);
        assert!(exported(&workspace) == after);
        before = after;
    }
    assert!(killed > 0 && kept > 0, "no ingest was killed before it ended");
}

#[test]
fn searches_go_on_while_an_ingest_runs() {
    let workspace = Workspace::new();
    write(&workspace, 0);
    workspace.ok(&["kb", "ingest", "many.jsonl"]);
    let mut meanwhile = 0;
    for version in 1..50 {
        write(&workspace, version);
        let mut child = start(&workspace);
        while child.try_wait().unwrap().is_none() {
            let hits = found(&workspace, &["Note 18", "-k", "3"]);
            assert_eq!((hits[0].as_str(), hits.len()), ("doc:n18", 3));
            meanwhile += usize::from(child.try_wait().unwrap().is_none());
        }
        if meanwhile > 3 {
            return;
        }
    }
    assert!(meanwhile > 0, "no search was made while an ingest ran");
}

/// Runs an ingest that may write no file beyond so many blocks of 512 bytes, as on a full disk.
fn with_little_room(workspace: &Workspace, blocks: u32) -> Run {
    let script = format!(
        "trap '' XFSZ; ulimit -f {blocks}; exec '{}' kb ingest many.jsonl",
        env!("CARGO_BIN_EXE_aileron")
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(workspace.path(".")).output();
    Run::of(output.unwrap())
}

#[test]
fn a_full_disk_is_said_and_leaves_the_old_state() {
    let workspace = small();
    let before = exported(&workspace);
    write(&workspace, 0);
    for blocks in [1, 32, 128, 256] {
        let run = with_little_room(&workspace, blocks);
        assert_eq!(run.code, 1, "{blocks}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: "), "{blocks}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{blocks}: {}", run.stderr);
        workspace.ok(&["kb", "stats", "--verify"]);
        assert_eq!(exported(&workspace), before, "{blocks}");
    }
    workspace.ok(&["kb", "ingest", "many.jsonl"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let workspace = small();
    workspace.write("file", "in the way");
    let run = workspace.run(&["kb", "ingest", "notes", "--kb", "file/kb"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("cannot be written"), "{}", run.stderr);
    let folder = workspace.path(FOLDER);
    let Some(_guard) = ReadOnly::make(&folder) else {
        println!("skipped: whoever runs this may write everywhere");
        return;
    };
    let run = workspace.run(&["kb", "ingest", "many.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("cannot be written"), "{}", run.stderr);
}

/// A folder without the permission to write, until it is dropped.
struct ReadOnly<'a>(&'a Path);

impl<'a> ReadOnly<'a> {
    /// None where permissions do not count.
    fn make(folder: &'a Path) -> Option<Self> {
        set_mode(folder, 0o555);
        let guard = Self(folder);
        fs::write(folder.join("probe"), "").is_err().then_some(guard)
    }
}

impl Drop for ReadOnly<'_> {
    fn drop(&mut self) {
        set_mode(self.0, 0o755);
    }
}

fn set_mode(folder: &Path, mode: u32) {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(folder, permissions).unwrap();
}
