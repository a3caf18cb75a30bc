//! Whether a client is still there: it is asked when it was silent for a while, and given up when it
//! stays silent.

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepaliveAction {
    Nothing,
    Ping,
    /// Nobody is there.
    Dead,
}

#[derive(Debug, Clone)]
pub(crate) struct Keepalive {
    every_ms: u64,
    heard: u64,
    asked: bool,
}

impl Keepalive {
    /// A client that is asked after this long.
    pub(crate) fn new(every_ms: u64, now: u64) -> Self {
        Self { every_ms, heard: now, asked: false }
    }

    /// Anything came from the client.
    pub(crate) fn heard(&mut self, now: u64) {
        self.heard = now;
        self.asked = false;
    }

    /// When something is to be done next.
    pub(crate) fn due(&self) -> u64 {
        self.heard.saturating_add(self.every_ms.saturating_mul(if self.asked { 2 } else { 1 }))
    }

    pub(crate) fn on_time(&mut self, now: u64) -> KeepaliveAction {
        match (now < self.due(), self.asked) {
            (true, _) => KeepaliveAction::Nothing,
            (false, true) => KeepaliveAction::Dead,
            (false, false) => {
                self.asked = true;
                KeepaliveAction::Ping
            }
        }
    }
}

#[cfg(test)]
#[path = "keepalive_tests.rs"]
mod tests;
