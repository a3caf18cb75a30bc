//! Detects a client that is gone: it is pinged after a silence, and disconnected if it stays silent.

/// The action that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepaliveAction {
    Nothing,
    Ping,
    /// The client is gone.
    Dead,
}

#[derive(Debug, Clone)]
pub(crate) struct Keepalive {
    every_ms: u64,
    heard: u64,
    asked: bool,
}

impl Keepalive {
    /// `every_ms` is the silence until a ping.
    pub(crate) fn new(every_ms: u64, now: u64) -> Self {
        Self { every_ms, heard: now, asked: false }
    }

    /// Any frame came from the client.
    pub(crate) fn on_frame(&mut self, now: u64) {
        self.heard = now;
        self.asked = false;
    }

    /// When the next action is due.
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
