//! The signals that stop a server: Ctrl-C and SIGTERM.

use crate::interrupt::{self, CtrlC};
use crate::output::Failure;

#[derive(Debug)]
pub(super) struct Signals {
    ctrl_c: CtrlC,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens for them inside of a runtime. They then no longer end the process.
    pub(super) fn watch() -> Result<Self, Failure> {
        Ok(Self {
            ctrl_c: interrupt::ctrl_c()?,
            #[cfg(unix)]
            terminate: interrupt::terminate()?,
        })
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.ctrl_c.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for the next one.
    #[cfg(windows)]
    pub(super) async fn next(&mut self) {
        let _ = self.ctrl_c.recv().await;
    }
}
