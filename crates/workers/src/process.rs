//! A worker process: started with its own working directory and only the declared secrets in its
//! environment, and killed with everything it started.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::{env, io};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::interpreter::Interpreter;
use crate::options::Options;
use crate::output::{self, LastLines};
use crate::tree::Tree;

/// Variables of the server that a worker receives besides the declared secrets.
const PASSED_ON: [&str; 4] = ["PATH", "LANG", "LC_ALL", "TZ"];

/// A started process and its connection.
pub(crate) struct WorkerProcess {
    child: Child,
    group: Option<Pid>,
    pub(crate) id: u32,
    pub(crate) last_lines: LastLines,
}

impl WorkerProcess {
    /// Starts a process and waits until it has connected.
    pub(crate) async fn start(
        interpreter: &Interpreter,
        secrets: &BTreeMap<String, String>,
        tree: &Tree,
        options: &Options,
    ) -> Result<(Self, UnixStream), String> {
        let unprepared = |error: io::Error| format!("no worker can be prepared: {error}");
        let (folder, socket) = tree.place().map_err(unprepared)?;
        let listener = UnixListener::bind(&socket).map_err(unprepared)?;
        let mut process = Self::spawn(interpreter, secrets, tree, options, (&folder, &socket))?;
        let accepted = tokio::select! {
            accepted = timeout(options.load, listener.accept()) => accepted,
            ended = process.child.wait() => return Err(process.died(ended.ok())),
        };
        let _ = std::fs::remove_file(&socket);
        match accepted {
            Ok(Ok((stream, _))) => Ok((process, stream)),
            Ok(Err(error)) => Err(unprepared(error)),
            Err(_) => Err(format!(
                "{} did not start within {} s",
                interpreter.name(),
                options.load.as_secs()
            )),
        }
    }

    fn spawn(
        interpreter: &Interpreter,
        secrets: &BTreeMap<String, String>,
        tree: &Tree,
        options: &Options,
        (folder, socket): (&Path, &Path),
    ) -> Result<Self, String> {
        let mut command = match options.launcher.split_first() {
            Some((launcher, arguments)) => {
                let mut command = Command::new(launcher);
                command
                    .args(arguments)
                    .arg(std::process::id().to_string())
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
            .env_clear()
            .envs(PASSED_ON.iter().filter_map(|name| Some((*name, env::var_os(name)?))))
            .env("HOME", folder)
            .env("TMPDIR", folder.join("tmp"))
            .envs(secrets)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| interpreter.missing(&error))?;
        let last_lines = LastLines::default();
        let runtime = interpreter.runtime.as_str();
        if let Some(stream) = child.stdout.take() {
            tokio::spawn(output::log(stream, runtime, last_lines.clone()));
        }
        if let Some(stream) = child.stderr.take() {
            tokio::spawn(output::log(stream, runtime, last_lines.clone()));
        }
        let id = child.id().unwrap_or_default();
        let group = i32::try_from(id).ok().and_then(Pid::from_raw);
        Ok(Self { child, group, id, last_lines })
    }

    /// Waits until the process has ended; the reason.
    pub(crate) async fn ended(&mut self) -> String {
        let status = self.child.wait().await.ok();
        self.died(status)
    }

    fn died(&self, status: Option<ExitStatus>) -> String {
        let how =
            status.map_or_else(|| "ended".to_owned(), |status| format!("ended with {status}"));
        match self.last_lines.text() {
            said if said.is_empty() => format!("the worker process {how}"),
            said => format!("the worker process {how} after it wrote: {said}"),
        }
    }
}

impl Drop for WorkerProcess {
    /// Kills the process and its children.
    fn drop(&mut self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
