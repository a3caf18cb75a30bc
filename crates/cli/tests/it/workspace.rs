//! A separate folder for each test, and the command inside of it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary folder in which `aileron` is run.
pub(crate) struct Workspace(TempDir);

impl Workspace {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one fresh tool, `greet_person`.
    pub(crate) fn with_tool() -> Self {
        let workspace = Self::new();
        workspace.ok(&["new", "greet-person"]);
        workspace
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let full = self.path(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Replaces text in a file; it must be there.
    pub(crate) fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from:?}");
        self.write(path, text.replace(from, to));
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aileron"));
        command.current_dir(self.0.path()).env("SOURCE_DATE_EPOCH", "1800000000");
        command
    }

    /// Runs the command.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command().args(args).output().unwrap())
    }

    /// Runs the command with this on its standard input.
    pub(crate) fn with_stdin(&self, args: &[&str], input: &[u8]) -> Run {
        let mut command = self.command();
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that has read enough may close its end.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::of(child.wait_with_output().unwrap())
    }

    /// Runs the command, which must succeed.
    pub(crate) fn ok(&self, args: &[&str]) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        run
    }

    /// Runs a command of the system.
    pub(crate) fn system(&self, program: &str, args: &[&str]) {
        let output = Command::new(program).args(args).current_dir(self.0.path()).output().unwrap();
        assert!(
            output.status.success(),
            "{program} {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }

    /// The codes of a `--format json` report, notes aside.
    pub(crate) fn codes(&self) -> Vec<String> {
        let report = self.json();
        let findings = report["diagnostics"].as_array().unwrap().iter();
        let loud = findings.filter(|finding| finding["severity"] != "note");
        loud.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// The top of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).unwrap()
}
