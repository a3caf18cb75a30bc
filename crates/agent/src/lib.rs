//! An agent: a model's transport joined with a conversation.
//!
//! What a model is told before the first word, the loop in writing, the one history of writing and speech,
//! and what is left of it. Whether a call is made is the orchestrator's, how a provider is spoken to the transports'.

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
