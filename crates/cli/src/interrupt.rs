//! Handles Ctrl-C, for a command that then ends successfully.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
#[cfg(unix)]
pub(crate) use tokio::signal::unix::Signal as CtrlC;
#[cfg(windows)]
pub(crate) use tokio::signal::windows::CtrlC;
use tokio::time::timeout;

use crate::output::Failure;

/// Listens for Ctrl-C, which then no longer ends the process.
#[derive(Debug)]
pub(crate) struct Interrupt {
    runtime: Runtime,
    pressed: CtrlC,
}

impl Interrupt {
    pub(crate) fn watch() -> Result<Self, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(unwatched)?;
        let pressed = runtime.block_on(async { ctrl_c() })?;
        Ok(Self { runtime, pressed })
    }

    /// Waits until Ctrl-C.
    pub(crate) fn wait(mut self) {
        self.runtime.block_on(self.pressed.recv());
    }

    /// Waits this long, or until Ctrl-C; says whether it came.
    pub(crate) fn came_within(&mut self, time: Duration) -> bool {
        let pressed = self.pressed.recv();
        self.runtime.block_on(async { timeout(time, pressed).await.is_ok() })
    }
}

/// Watches for Ctrl-C inside of a runtime.
pub(crate) fn ctrl_c() -> Result<CtrlC, Failure> {
    listen().map_err(unwatched)
}

/// Watches for the signal with which service managers end a process, inside of a runtime.
#[cfg(unix)]
pub(crate) fn terminate() -> Result<CtrlC, Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::terminate()).map_err(unwatched)
}

/// Watches for the signal with which service managers let a process read its settings again, inside of a
/// runtime.
#[cfg(unix)]
pub(crate) fn hang_up() -> Result<CtrlC, Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::hangup()).map_err(unwatched)
}

fn unwatched(error: io::Error) -> Failure {
    Failure::Failed(format!("Ctrl-C cannot be watched for: {error}"))
}

#[cfg(unix)]
fn listen() -> io::Result<CtrlC> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(windows)]
fn listen() -> io::Result<CtrlC> {
    tokio::signal::windows::ctrl_c()
}
