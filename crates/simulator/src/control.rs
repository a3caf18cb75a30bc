//! Control of the running connections: triggers events of the provider at any moment, and shows the
//! messages of clients.

mod seen;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aileron_contract::CallId;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

pub use self::seen::{LiveProtocol, Observed, ObservedEvent};
use crate::delivery::HoldBack;
use crate::simulated_model::ModelAction;

/// A command to a connection.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ControlCommand {
    Hear(String),
    Act(Vec<ModelAction>),
    /// An empty list means all open calls.
    Cancel(Vec<CallId>),
    Interrupt,
    GoAway(Duration),
    Hold(HoldBack),
    DuplicateCall,
    Malformed,
    Drop,
    Close(u16, String),
}

/// There is no connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotConnected;

impl fmt::Display for NotConnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a client that is connected, found none; wait for its setup")
    }
}

impl std::error::Error for NotConnected {}

/// Controls the newest connection; all clones control the same simulator.
#[derive(Debug, Clone, Default)]
pub struct Control {
    board: Arc<ConnectionRegistry>,
}

#[derive(Debug, Default)]
struct ConnectionRegistry {
    lines: Mutex<Lines>,
    /// The number of connections.
    count: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Lines {
    next: u64,
    connections: BTreeMap<u64, UnboundedSender<ControlCommand>>,
    watchers: Vec<UnboundedSender<Observed>>,
}

impl Control {
    /// The person speaks these words: speech begins, is transcribed, and ends.
    pub fn hear(&self, text: impl Into<String>) -> Result<(), NotConnected> {
        self.order(ControlCommand::Hear(text.into()))
    }

    /// The model performs these actions without an input.
    pub fn act(&self, steps: Vec<ModelAction>) -> Result<(), NotConnected> {
        self.order(ControlCommand::Act(steps))
    }

    /// The provider cancels calls; without ids, all that are open.
    pub fn cancel(&self, calls: &[CallId]) -> Result<(), NotConnected> {
        self.order(ControlCommand::Cancel(calls.to_vec()))
    }

    /// Barge-in without intelligible words.
    pub fn interrupt(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::Interrupt)
    }

    /// The provider announces that it will end the connection, and ends it when the time is up.
    pub fn go_away(&self, time_left: Duration) -> Result<(), NotConnected> {
        self.order(ControlCommand::GoAway(time_left))
    }

    /// The ends of turns are delayed until [`Self::release_turn_complete`].
    pub fn withhold_turn_complete(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::Hold(HoldBack::TurnEnd))
    }

    /// The end-of-generation message is not sent, as if the reply continued.
    pub fn withhold_generation_complete(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::Hold(HoldBack::Generated))
    }

    pub fn release_turn_complete(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::Hold(HoldBack::Nothing))
    }

    /// The last message with calls is sent again.
    pub fn duplicate_last_call(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::DuplicateCall)
    }

    /// A frame is sent that is not JSON.
    pub fn malformed(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::Malformed)
    }

    /// The connection is dropped without a close frame.
    pub fn drop_connection(&self) -> Result<(), NotConnected> {
        self.order(ControlCommand::Drop)
    }

    pub fn close(&self, code: u16, reason: impl Into<String>) -> Result<(), NotConnected> {
        self.order(ControlCommand::Close(code, reason.into()))
    }

    /// A stream of everything that is sent in both directions from now on. It is unbounded.
    pub fn watch(&self) -> UnboundedReceiver<Observed> {
        let (sender, receiver) = unbounded_channel();
        self.lines().watchers.push(sender);
        receiver
    }

    /// How many clients are connected.
    pub fn connections(&self) -> usize {
        self.lines().connections.len()
    }

    /// Waits until no client is connected.
    pub async fn idle(&self) {
        let mut count = self.board.count.subscribe();
        let _ = count.wait_for(|count| *count == 0).await;
    }

    /// Waits until at least this many clients are connected.
    pub async fn connected(&self, least: usize) {
        let mut count = self.board.count.subscribe();
        let _ = count.wait_for(|count| *count >= least).await;
    }

    fn order(&self, order: ControlCommand) -> Result<(), NotConnected> {
        let lines = self.lines();
        let newest = lines.connections.values().next_back().ok_or(NotConnected)?;
        newest.send(order).map_err(|_| NotConnected)
    }

    /// Sends a command to all connections.
    pub(crate) fn order_all(&self, order: &ControlCommand) {
        for connection in self.lines().connections.values() {
            let _ = connection.send(order.clone());
        }
    }

    /// Registers a connection.
    pub(crate) fn join(&self) -> ConnectionHandle {
        let (sender, orders) = unbounded_channel();
        let mut lines = self.lines();
        let number = lines.next;
        lines.next += 1;
        lines.connections.insert(number, sender);
        self.board.count.send_replace(lines.connections.len());
        ConnectionHandle { number, orders, control: self.clone() }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.board.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The control handle of one connection. Dropping it unregisters the connection.
#[derive(Debug)]
pub(crate) struct ConnectionHandle {
    number: u64,
    pub(crate) orders: UnboundedReceiver<ControlCommand>,
    control: Control,
}

impl ConnectionHandle {
    /// Sends an event to the watchers.
    pub(crate) fn show(&self, seen: ObservedEvent) {
        let mut lines = self.control.lines();
        let sighting = Observed { connection: self.number, seen };
        lines.watchers.retain(|watcher| watcher.send(sighting.clone()).is_ok());
    }

    /// Whether there are watchers.
    pub(crate) fn is_watched(&self) -> bool {
        !self.control.lines().watchers.is_empty()
    }
}

impl Drop for ConnectionHandle {
    fn drop(&mut self) {
        let mut lines = self.control.lines();
        lines.connections.remove(&self.number);
        self.control.board.count.send_replace(lines.connections.len());
    }
}
