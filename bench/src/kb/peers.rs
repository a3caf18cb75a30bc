//! The alternatives, which Python measures.

use std::process::{Command, Stdio};

use super::measured::Measured;
use super::text::repository;
use super::workload::Workload;
use crate::say;

/// Every way to search every alternative. Needs Python 3 with `venv`, and packages from its index
/// the first time.
pub(crate) fn measure(workload: &Workload) -> Result<Vec<Measured>, String> {
    say("measuring SQLite and LanceDB");
    let done = Command::new("python3")
        .arg(repository().join("bench/python/peers.py"))
        .arg(&workload.folder)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("expected python3 to run: {error}"))?;
    if !done.status.success() {
        return Err("the alternatives could not be measured; see above".to_owned());
    }
    String::from_utf8_lossy(&done.stdout).lines().map(Measured::read).collect()
}
