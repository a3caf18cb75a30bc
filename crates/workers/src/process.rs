//! A worker process: started with its own working directory and only the declared secrets in its
//! environment, and killed with everything it started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, io};

use aileron_capability::secrets::Masks;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::interpreter::Interpreter;
use crate::options::WorkerOptions;
use crate::output::{self, LastLines};
use crate::tree::Tree;

/// Variables of the server that a worker receives besides the declared secrets.
const PASSED_ON: [&str; 4] = ["PATH", "LANG", "LC_ALL", "TZ"];

/// A started process.
pub(crate) struct WorkerProcess {
    child: Child,
    /// Absent once it was killed.
    group: Option<Pid>,
    pub(crate) id: u32,
    folder: PathBuf,
    last_lines: LastLines,
    /// The tasks that log its output.
    output: Vec<JoinHandle<()>>,
}

impl WorkerProcess {
    /// Starts a process and waits until it has connected.
    pub(crate) async fn start(
        interpreter: &Interpreter,
        secrets: &BTreeMap<String, String>,
        tree: &Tree,
        options: &WorkerOptions,
    ) -> Result<(Self, UnixStream), String> {
        let unprepared = |error: io::Error| format!("no worker can be prepared: {error}");
        let (folder, socket) = tree.place().map_err(unprepared)?;
        let listener = UnixListener::bind(&socket).map_err(unprepared)?;
        let mut process = Self::spawn(interpreter, secrets, tree, options, (folder, &socket))?;
        let accepted = tokio::select! {
            accepted = timeout(options.load, listener.accept()) => accepted,
            why = process.ended() => {
                return Err(with_output(why, &process.finish(options.grace).await));
            }
        };
        let _ = std::fs::remove_file(&socket);
        match accepted {
            Ok(Ok((stream, _))) => Ok((process, stream)),
            Ok(Err(error)) => Err(unprepared(error)),
            Err(_) => {
                let (name, limit) = (interpreter.name(), options.load.as_secs_f32());
                let why = format!("{name} did not start within {limit} s");
                Err(with_output(why, &process.finish(options.grace).await))
            }
        }
    }

    fn spawn(
        interpreter: &Interpreter,
        secrets: &BTreeMap<String, String>,
        tree: &Tree,
        options: &WorkerOptions,
        (folder, socket): (PathBuf, &Path),
    ) -> Result<Self, String> {
        interpreter.check_program()?;
        let mut command = match options.launcher.split_first() {
            Some((launcher, arguments)) => {
                let mut command = Command::new(launcher);
                command
                    .args(arguments)
                    .arg(std::process::id().to_string())
                    .arg(interpreter.data_bytes(options).to_string())
                    .arg(&interpreter.program);
                command
            }
            None => Command::new(&interpreter.program),
        };
        command
            .args(interpreter.arguments(tree, options))
            .arg(socket)
            .arg(tree.sources())
            .arg(options.result_bytes.to_string())
            .arg(options.log_bytes.to_string())
            .env_clear()
            .envs(PASSED_ON.iter().filter_map(|name| Some((*name, env::var_os(name)?))))
            .env("HOME", &folder)
            .env("TMPDIR", folder.join("tmp"))
            .envs(secrets)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| interpreter.missing(&error))?;
        let id = child.id().unwrap_or_default();
        let group = i32::try_from(id).ok().and_then(Pid::from_raw);
        let last_lines = LastLines::default();
        let output = logged(&mut child, interpreter.runtime.as_str(), secrets, &last_lines);
        Ok(Self { child, group, id, folder, last_lines, output })
    }

    /// Waits until the process has ended; the reason.
    pub(crate) async fn ended(&mut self) -> String {
        how_it_ended(self.child.wait().await.ok())
    }

    /// Kills the process and its children.
    pub(crate) fn kill(&mut self) {
        if let Some(group) = self.group.take() {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Kills the process and reads the rest of its output; its last lines.
    pub(crate) async fn finish(&mut self, within: Duration) -> String {
        self.kill();
        for task in self.output.drain(..) {
            // A child that left the process group may hold the stream.
            let _ = timeout(within, task).await;
        }
        self.last_lines.text()
    }
}

/// Logs the streams of a process, without the secrets that it has.
fn logged(
    child: &mut Child,
    runtime: &'static str,
    secrets: &BTreeMap<String, String>,
    last_lines: &LastLines,
) -> Vec<JoinHandle<()>> {
    let masks = Arc::new(Masks::default());
    secrets.iter().for_each(|(name, value)| masks.add(name, value));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let log_of = (masks, last_lines.clone());
    let stdout =
        stdout.map(|stream| output::log(stream, runtime, log_of.0.clone(), log_of.1.clone()));
    let stderr = stderr.map(|stream| output::log(stream, runtime, log_of.0, log_of.1));
    stdout.map(tokio::spawn).into_iter().chain(stderr.map(tokio::spawn)).collect()
}

fn how_it_ended(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("the worker process ended with {status}"),
        None => "the worker process ended".to_owned(),
    }
}

fn with_output(why: String, output: &str) -> String {
    if output.is_empty() { why } else { format!("{why} after it wrote: {output}") }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
