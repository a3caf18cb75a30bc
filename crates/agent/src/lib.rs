//! An agent: a model's transport joined with a conversation.
//!
//! - `instructions` composes the instructions for the model from the prompts, the offered tools and
//!   the limits of the policies.
//! - `turn` is the loop of a text turn: model, calls, pipeline, results, model. A conversation runs
//!   one turn at a time (`turn/turn_lock`).
//! - `history` is the transcript log in the store; `history/compact` shortens it to the context
//!   window.
//! - `transcript_log` adds voice transcripts to the same log, from a separate task; `recap` gives a live
//!   model the end of the log as text.
//! - `citation` determines the records that an answer cites.
//! - A turn is a stream of events (`event`, `turn_stream`); dropping the stream cancels the turn. The
//!   model is a trait (`model`), so tests use scripted ones.
//!
//! The orchestrator decides about calls, and the transports speak with providers; this crate knows
//! no HTTP.

mod agent;
pub mod citation;
mod event;
mod history;
pub mod instructions;
mod model;
mod recap;
mod transcript_log;
mod turn;
mod turn_stream;

pub use agent::{Agent, AgentParts, ConfirmationAnswer, EventStream, TurnLimits, UserMessage};
pub use event::{
    ContextTokens, EarlierDecision, TurnError, TurnEvent, TurnFailure, TurnFailureCode, TurnOutcome,
};
pub use history::{HistoryError, LoggedMessage, TranscriptEntry, said_so_far};
pub use instructions::{InstructionOptions, Instructions, PromptError, Prompts, Section, ToolDocs};
pub use model::{Model, ReplyStream};
pub use recap::Recap;
pub use transcript_log::TranscriptLog;
pub use turn_stream::TurnStream;
