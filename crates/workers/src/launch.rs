//! Becomes a worker process: the system ends it with the server and bounds its memory, and it leaves
//! no core file.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

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
    Command::new(program).args(command).exec()
}

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
