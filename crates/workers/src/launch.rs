//! Becomes a worker process: the system ends it with the server and bounds its memory, and it leaves
//! no core file.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{fs, io};

use rustix::process::{Resource, Rlimit, setrlimit};

/// Replaces this process by the program in `command`; the items before it are the process id of the
/// server and the bytes of private memory. Returns only if that fails.
pub fn run(command: impl IntoIterator<Item = OsString>) -> io::Error {
    let mut command = command.into_iter();
    let mut next = || command.next();
    let (Some(server), Some(memory), Some(program)) = (next(), next(), next()) else {
        let expected = "expected a process id, a number of bytes and a program";
        return io::Error::new(io::ErrorKind::InvalidInput, expected);
    };
    let memory = memory.to_str().and_then(|text| text.parse().ok());
    let _ = setrlimit(Resource::Data, Rlimit { current: memory, maximum: memory });
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    if let Err(error) = end_with_parent(&server) {
        return error;
    }
    Command::new(program).args(command).env(INHERITED, inherited().join(",")).exec()
}

/// The variable with the descriptors that this process inherited from the server; the worker closes
/// them.
const INHERITED: &str = "AILERON_INHERITED";

/// The open descriptors that a started program keeps, standard streams aside.
fn inherited() -> Vec<String> {
    let Ok(open) = fs::read_dir("/proc/self/fdinfo") else { return Vec::new() };
    let names = open.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let numbered = names.filter(|name| name.parse().is_ok_and(|number: u32| number > 2));
    numbered.filter(|name| is_kept(name)).collect()
}

/// Whether a descriptor stays open when the process becomes another program.
fn is_kept(descriptor: &str) -> bool {
    let info = fs::read_to_string(format!("/proc/self/fdinfo/{descriptor}")).unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & CLOSE_ON_EXEC == 0)
}

/// `O_CLOEXEC` of Linux.
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// The signal is lost if the server died before it was asked for, so its process id is compared.
#[cfg(target_os = "linux")]
fn end_with_parent(server: &OsString) -> io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let parent = getppid().map_or(0, |parent| parent.as_raw_nonzero().get());
    if server.to_str() == Some(parent.to_string().as_str()) {
        return Ok(());
    }
    Err(io::Error::other("the server that started this worker is gone"))
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent(_: &OsString) -> io::Result<()> {
    Ok(())
}
