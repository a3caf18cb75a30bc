//! An agent: a model's transport joined with a conversation.
//!
//! - `instructions` composes the instructions for the model from the prompts, the offered tools and
//!   the limits of the policies.
//! - `turn` is the loop of a text turn: model, calls, pipeline, results, model. A conversation runs
//!   one turn at a time (`turn/seats`).
//! - `history` is the transcript log in the store; `history/compact` shortens it to the context
//!   window.
//! - `minutes` adds voice transcripts to the same log, from a separate task; `recap` gives a live
//!   model the end of the log as text.
//! - `citation` determines the records that an answer cites.
//! - A turn is a stream of events (`event`, `answering`); dropping the stream cancels the turn. The
//!   model is a trait (`model`), so tests use scripted ones.
//!
//! The orchestrator decides about calls, and the transports speak with providers; this crate knows
//! no HTTP.

mod agent;
mod answering;
pub mod citation;
mod event;
mod history;
pub mod instructions;
mod minutes;
mod model;
mod recap;
mod turn;

pub use agent::{Agent, Decision, Limits, Parts, Watch, Words};
pub use answering::Answering;
pub use event::{Before, Ended, Event, FailCode, Failed, TurnError};
pub use history::{Entry, HistoryError, Said, said_so_far};
pub use instructions::{Instructions, PromptError, Prompts, Recipe, Section, ToolDocs};
pub use minutes::Minutes;
pub use model::{Model, Reading};
pub use recap::Recap;
