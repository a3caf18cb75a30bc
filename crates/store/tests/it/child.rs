//! Another process: this test binary, started again to run one of its own tests on a folder. Shared
//! with the orchestrator's tests.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The environment variable that marks a child process and contains the store's folder.
const FOLDER: &str = "AILERON_TEST_CHILD";

/// Distinguishes the output of children from that of the test harness.
const MARK: &str = "> ";

/// The folder to work in, if this process is a child.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// Sends a line to the parent, unbuffered.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // One write per line, so that lines of several threads do not mix. Fails harmlessly if the
    // parent has ended.
    let _ = out.write_all(format!("{MARK}{line}\n").as_bytes());
    let _ = out.flush();
}

/// A process that runs the test of this name.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Process {
    pub(crate) fn start(test: &str, folder: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(FOLDER, folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { input: child.stdin.take(), child, output }
    }

    /// The next line of the child; `None` once it has ended.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut lines = self.output.by_ref().map_while(Result::ok);
        lines.find_map(|line| line.split_once(MARK).map(|(_, said)| said.to_owned()))
    }

    /// Sends a line and waits for the answer.
    pub(crate) fn ask(&mut self, question: &str) -> String {
        writeln!(self.input.as_mut().unwrap(), "{question}").unwrap();
        self.line().expect("the child has died")
    }

    /// Kills the child with SIGKILL; returns everything it had sent by then.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.line()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
