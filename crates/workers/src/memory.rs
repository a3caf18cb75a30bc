//! The resident memory of processes. Only Linux tells it.

use std::fs;

/// Bytes of one process.
pub(crate) fn resident_bytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Bytes of all processes of a group.
pub(crate) fn group_bytes(group: u32) -> Option<u64> {
    let entries = fs::read_dir("/proc").ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let processes = names.filter_map(|name| name.parse().ok());
    let members = processes.filter(|process| group_of(*process) == Some(group));
    Some(members.filter_map(resident_bytes).sum())
}

/// The process group: the third member of `stat` after the name, which may contain anything.
fn group_of(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, members) = text.rsplit_once(')')?;
    members.split_ascii_whitespace().nth(2)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
#[path = "memory_tests.rs"]
mod tests;
