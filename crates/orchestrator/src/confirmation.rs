//! Confirmations: the person approves a call before it runs. `state` is the state machine; the
//! other files store, publish and resolve confirmations.
//!
//! requested -> stored -> published -> resolved (approved, declined, expired, superseded)

mod approve;
mod close;
mod describe;
mod error;
mod listed;
mod pending;
mod record;
mod request;
mod resolution;
mod resolve;
mod restore;
mod spoken;
mod state;
mod stored;
mod subject;
mod supersede;
mod waiting_candidate;

pub(crate) use self::close::late_answer_of;
pub use self::error::ConfirmError;
pub use self::listed::{ApprovedEnd, ConfirmationStatus, ListedConfirmation};
pub(crate) use self::listed::{decided_confirmations, open_confirmations};
pub(crate) use self::request::{ConfirmationStart, HELD, publish, request};
pub use self::resolution::{LateAnswer, Resolution};
pub(crate) use self::resolve::{PersonAnswer, confirm, resolve_turn_start};
pub(crate) use self::restore::{INCLUDE_EXPIRED, restore};
pub(crate) use self::spoken::{Listener, TurnStartEffects};
pub(crate) use self::state::Confirmations;
pub(crate) use self::stored::{ResolvedConfirmation, WaitingCall};
