//! The signals that ask a server to stop: Ctrl-C, and what service managers send.

use crate::interrupt::{self, CtrlC};
use crate::output::Failure;

#[derive(Debug)]
pub(super) struct Signals {
    ctrl_c: CtrlC,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Watches for them inside of a runtime. They no longer end the process by themselves.
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
