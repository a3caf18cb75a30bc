//! The process that is measured: our server, or a relay in Node.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};

/// A server in a process of its own. It ends when this is dropped.
pub(super) struct Subject {
    name: &'static str,
    child: Child,
    address: String,
}

impl Subject {
    pub(super) async fn aileron(provider: &str) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(["voice-serve", provider]);
        Self::begin("aileron", command).await
    }

    pub(super) async fn node(provider: &str) -> Result<Self, String> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/node/relay.mjs");
        let mut command = Command::new("node");
        command.args([script, provider]);
        Self::begin("Node ws", command).await
    }

    /// The first line a server prints is where it listens.
    async fn begin(name: &'static str, mut command: Command) -> Result<Self, String> {
        command.stdout(Stdio::piped()).stdin(Stdio::null());
        let failed = |error: std::io::Error| format!("{name} cannot be started: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let stdout = child.stdout.take().ok_or("expected an output")?;
        let stdout = tokio::process::ChildStdout::from_std(stdout).map_err(failed)?;
        let line = BufReader::new(stdout).lines().next_line().await.map_err(failed)?;
        let address = line.ok_or_else(|| format!("{name} ended before it listened"))?;
        Ok(Self { name, child, address })
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Memory that is resident.
    pub(super) fn memory_kb(&self) -> Result<u64, String> {
        let status = self.proc("status")?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        number.ok_or_else(|| "expected VmRSS in /proc".to_owned())
    }

    /// Processor time so far.
    pub(super) fn cpu(&self) -> Result<Duration, String> {
        let stat = self.proc("stat")?;
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 =
            fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Ok(Duration::from_millis(ticks * 10))
    }

    fn proc(&self, file: &str) -> Result<String, String> {
        let path = format!("/proc/{}/{file}", self.child.id());
        fs::read_to_string(path).map_err(|error| format!("{} is gone: {error}", self.name))
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
