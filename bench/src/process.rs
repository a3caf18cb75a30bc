//! The measured processes: started, identified by their port, ended.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::compile::{install_node, node_folder};

/// A server in a separate process, which is ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Child {
    process: std::process::Child,
    pub(crate) port: u16,
    /// Its working folder, if it has a separate one.
    _folder: Option<TempDir>,
}

/// Ticks per second, in which Linux counts processor time.
const TICKS: f64 = 100.0;

impl Child {
    /// Starts this program as a server.
    pub(crate) fn ours(args: &[&str]) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        Self::start(Command::new(own).args(args))
    }

    /// A script of `bench/node`, whose packages are installed on first use.
    pub(crate) fn node(script: &str, args: &[&str]) -> Result<Self, String> {
        install_node()?;
        let mut command = Command::new("node");
        command.env("NODE_ENV", "production").arg(node_folder().join(script)).args(args);
        Self::start(&mut command)
    }

    /// A script of `bench` that needs no packages.
    pub(crate) fn script(program: &str, path: &str, args: &[&str]) -> Result<Self, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        Self::start(Command::new(program).arg(path).args(args))
    }

    /// Starts a server, which prints its port or its address when it is ready.
    fn start(command: &mut Command) -> Result<Self, String> {
        let mut process = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?} could not be started: {error}"))?;
        let mut line = String::new();
        let stdout = process.stdout.take().ok_or("no output")?;
        BufReader::new(stdout).read_line(&mut line).map_err(|error| error.to_string())?;
        let port = line.trim().rsplit(':').next().unwrap_or_default();
        let port = port.parse().map_err(|_| format!("expected a port, found {line:?}"))?;
        Ok(Self { process, port, _folder: None })
    }

    /// `aileron serve` as it was built beside this command, with the shipped tools and an empty
    /// folder. It may not be ready when this returns.
    pub(crate) fn serve() -> Result<Self, String> {
        let fault = |error: std::io::Error| error.to_string();
        let program = std::env::current_exe().map_err(fault)?.with_file_name("aileron");
        if !program.is_file() {
            return Err("run `cargo build --release -p aileron-cli` first".to_owned());
        }
        let folder = tempfile::tempdir().map_err(fault)?;
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = port.map_err(fault)?.port();
        let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools");
        let process = Command::new(program)
            .args(["serve", "--address", &format!("127.0.0.1:{port}"), "--tools"])
            .arg(tools)
            .env("AILERON_TEXT_PROVIDER", "offline")
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .spawn();
        Ok(Self { process: process.map_err(fault)?, port, _folder: Some(folder) })
    }

    /// Its processor time, in user and system mode.
    pub(crate) fn cpu_seconds(&self) -> Result<f64, String> {
        let stat = self.file("stat")?;
        // The name in brackets may contain any character.
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let ticks =
            |at: usize| fields.split_whitespace().nth(at).and_then(|it| it.parse::<f64>().ok());
        match (ticks(11), ticks(12)) {
            (Some(own), Some(system)) => Ok((own + system) / TICKS),
            _ => Err(format!("expected processor times, found {stat}")),
        }
    }

    /// Its peak memory.
    pub(crate) fn peak_mb(&self) -> Result<u64, String> {
        let status = self.file("status")?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kilobytes.map(|kilobytes| kilobytes / 1024).ok_or_else(|| "no memory figure".to_owned())
    }

    fn file(&self, name: &str) -> Result<String, String> {
        let path = format!("/proc/{}/{name}", self.process.id());
        fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // A process that has already ended is ignored.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
