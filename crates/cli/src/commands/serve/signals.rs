//! The signals that stop a server, Ctrl-C and SIGTERM, and the one that makes it read its registries again,
//! SIGHUP.

use aileron_server::App;

use crate::interrupt::{self, CtrlC};
#[cfg(unix)]
use crate::output;
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

/// Listens for SIGHUP, which then no longer ends the process. Windows has no such signal.
#[derive(Debug)]
pub(super) struct Reloads {
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Reloads {
    pub(super) fn watch() -> Result<Self, Failure> {
        Ok(Self {
            #[cfg(unix)]
            hang_up: interrupt::hang_up()?,
        })
    }

    /// Reads the registries and rules again at each one, for as long as the runtime runs.
    #[cfg(unix)]
    pub(super) fn follow(mut self, app: App) -> tokio::task::JoinHandle<()> {
        tokio::spawn(async move {
            while self.hang_up.recv().await.is_some() {
                output::talk(&reload(&app).await);
            }
        })
    }

    #[cfg(windows)]
    pub(super) fn follow(self, _: App) -> tokio::task::JoinHandle<()> {
        tokio::spawn(async {})
    }
}

/// Reads the registries and rules again; returns the sentence about it.
#[cfg(unix)]
async fn reload(app: &App) -> String {
    match app.reload_registries("SIGHUP").await {
        Ok(report) if !report.changed => {
            "the registries and rules were read again: no change".to_owned()
        }
        Ok(report) => {
            let registries =
                report.registries.iter().map(|(name, version)| format!("{name} {version}"));
            let registries = registries.collect::<Vec<_>>().join(", ");
            let rules = output::count(report.rules, "rule");
            let warnings = report.warnings.iter().map(|warning| format!("\nwarning: {warning}"));
            let warnings: String = warnings.collect();
            format!("new conversations have {registries} by {rules}{warnings}")
        }
        Err(faults) => {
            format!("error: {}; the registries and rules stay as they were", faults.join("\n"))
        }
    }
}
