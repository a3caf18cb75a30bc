//! `aileron kb ingest --watch`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::{FOLDER, found, small};
use crate::workspace::Workspace;

const PATIENCE: Duration = Duration::from_secs(120);

/// A watching ingest and the lines it says.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(workspace: &Workspace, args: &[&str]) -> Self {
        let mut command = workspace.command();
        command.args(["kb", "ingest", "notes", "--watch"]).args(args).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let watch = Self { child, lines };
        watch.until("watching ");
        watch
    }

    /// The next line with these words.
    fn until(&self, words: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no line with {words:?} after {seen:?}")
            };
            if line.contains(words) {
                return line;
            }
            seen.push(line);
        }
    }

    fn press_ctrl_c(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_is_written_is_taken_in_and_ctrl_c_ends_well() {
    let workspace = small();
    let watch = Watch::start(&workspace, &[]);
    workspace.write("notes/deep/tea.md", "# Tea\n\nThe kettle is upstairs.\n");
    watch.until("1 added");
    assert_eq!(found(&workspace, &["kettle"])[0], "doc:tea");
    assert_eq!(watch.press_ctrl_c(), Some(0));
}

#[test]
fn a_deleted_file_is_forgotten_only_with_prune() {
    let workspace = small();
    workspace.write("notes/tea.md", "# Tea\n\nThe kettle is upstairs.\n");
    let watch = Watch::start(&workspace, &[]);
    fs::remove_file(workspace.path("notes/tea.md")).unwrap();
    watch.until("1 no longer in their files, kept; --prune removes them: doc:tea");
    assert!(watch.until("watching ").contains("records of deleted files are kept"));
    drop(watch);
    workspace.write("notes/tea.md", "# Tea\n\nThe kettle is upstairs.\n");
    let watch = Watch::start(&workspace, &["--prune"]);
    fs::remove_file(workspace.path("notes/tea.md")).unwrap();
    watch.until("1 removed");
    assert_eq!(workspace.run(&["kb", "get", "doc:tea"]).code, 1);
}

#[test]
fn errors_are_survived() {
    let workspace = small();
    let watch = Watch::start(&workspace, &[]);
    workspace.write("notes/bad.jsonl", "no json\n");
    watch.until("1 refused; all else is in");
    watch.until("watching ");
    let lock = fs::File::create(workspace.path(FOLDER).join("writer.lock")).unwrap();
    lock.try_lock().unwrap();
    workspace
        .write("notes/bad.jsonl", "{\"id\":\"doc:tea\",\"title\":\"Tea\",\"text\":\"Kettle\"}\n");
    watch.until("error: another process is writing");
    watch.until("watching ");
    drop(lock);
    workspace.write("notes/more.md", "# More\n\nMore of it.\n");
    watch.until("2 added");
}
