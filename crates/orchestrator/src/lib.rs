//! The gate every call passes: a conversation's state, the call pipeline and
//! its policies. It knows no provider, no socket and no HTTP.

mod admit;
mod approval;
mod ask;
pub mod cases;
mod chain;
pub mod config;
mod conversation;
mod draft;
mod dry_run;
mod event;
mod execute;
pub mod expression;
mod glance;
mod history;
mod housekeeping;
mod identity;
mod invocation;
mod judge;
mod key;
mod offer;
mod orchestrator;
mod outlive;
mod person;
pub mod policy;
pub mod preview;
mod question;
mod refused;
pub mod replay;
mod settle;
pub mod speech;
pub mod state;
pub mod token;
mod toolset;
mod under_way;

pub use approval::{ConfirmError, LateAnswer, Resolution};
pub use config::Config;
pub use conversation::{Conversation, Input, OpenTurn, TurnStart};
pub use dry_run::Decision;
pub use event::{Audience, Closed, Event, Nobody};
pub use glance::Glance;
pub use orchestrator::{OpenError, Opening, Orchestrator, Setup};
pub use person::Person;
pub use settle::shown;
pub use toolset::{ConditionError, Toolset};
