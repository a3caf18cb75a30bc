//! The measured process: our server, or a relay in Node.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};

use super::core::{self, Core};

const RELAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node/relay.mjs");

/// A server in a separate process, which is ended when this is dropped.
pub(super) struct Subject {
    name: &'static str,
    child: Child,
    address: String,
}

/// The servers that frames can pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    Aileron,
    /// With its store on disk.
    AileronOnDisk,
    Node,
}

impl Through {
    pub(super) const ALL: [Self; 2] = [Self::Aileron, Self::Node];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Aileron | Self::AileronOnDisk => "aileron",
            Self::Node => "Node ws",
        }
    }

    fn command(self, provider: &str) -> Result<Command, String> {
        let (program, args) = match self {
            Self::Node => ("node".into(), [RELAY, provider, ""]),
            Self::Aileron => (own_program()?, ["voice-serve", provider, "memory"]),
            Self::AileronOnDisk => (own_program()?, ["voice-serve", provider, "soak"]),
        };
        let mut command = Command::new(program);
        command.args(args);
        Ok(command)
    }
}

fn own_program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| error.to_string())
}

impl Subject {
    /// The first line that a server prints is its address.
    pub(super) async fn begin(through: Through, provider: &str) -> Result<Self, String> {
        let (name, mut command) = (through.name(), through.command(provider)?);
        command.stdout(Stdio::piped()).stdin(Stdio::null());
        let failed = |error: std::io::Error| format!("{name} cannot be started: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let stdout = child.stdout.take().ok_or("expected an output")?;
        let stdout = tokio::process::ChildStdout::from_std(stdout).map_err(failed)?;
        let line = BufReader::new(stdout).lines().next_line().await.map_err(failed)?;
        let address = line.ok_or_else(|| format!("{name} ended before it listened"))?;
        Ok(Self { name, child, address })
    }

    /// Starts it on a separate core; this process continues on the other one.
    pub(super) async fn apart(through: Through, provider: &str) -> Result<Self, String> {
        core::stay_on(Core::Subject)?;
        let subject = Self::begin(through, provider).await;
        core::stay_on(Core::Crowd)?;
        subject
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Resident memory.
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
