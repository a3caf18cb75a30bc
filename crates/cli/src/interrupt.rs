//! Ctrl-C, for a command that goes on until then and ends well.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
#[cfg(unix)]
use tokio::signal::unix::Signal as CtrlC;
#[cfg(windows)]
use tokio::signal::windows::CtrlC;
use tokio::time::timeout;

use crate::output::Failure;

/// Watches for Ctrl-C, which no longer ends the process by itself.
#[derive(Debug)]
pub(crate) struct Interrupt {
    runtime: Runtime,
    pressed: CtrlC,
}

impl Interrupt {
    pub(crate) fn watch() -> Result<Self, Failure> {
        let watch = || {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let pressed = runtime.block_on(async { listen() })?;
            Ok(Self { runtime, pressed })
        };
        watch().map_err(|error: io::Error| {
            Failure::Failed(format!("Ctrl-C cannot be watched for: {error}"))
        })
    }

    /// Waits this long, or until Ctrl-C; says whether it came.
    pub(crate) fn came_within(&mut self, time: Duration) -> bool {
        let pressed = self.pressed.recv();
        self.runtime.block_on(async { timeout(time, pressed).await.is_ok() })
    }
}

#[cfg(unix)]
fn listen() -> io::Result<CtrlC> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(windows)]
fn listen() -> io::Result<CtrlC> {
    tokio::signal::windows::ctrl_c()
}
