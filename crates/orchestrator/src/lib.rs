//! The pipeline that every call passes, the same for voice and text: `admit -> execute -> settle`
//! (`pipeline`). It knows no provider, no socket and no HTTP, and reads the time from a clock that
//! its caller gives it. `tests/conversations` shows its behaviour in scripts.
//!
//! 1. **admit** (`admission`, `candidate`, `policy`): the calls of one batch are decided together.
//!    `Admission` is a pure function of the policy state, the open confirmations, the calls, the
//!    toolset and the time. It gives one `Decision` per call with its `trail`: each policy with its
//!    result and number. `policy/name` is the table of policies, `policy/order` their order; one
//!    policy is one file that returns a `PolicyResult` and changes nothing. From the store it reads
//!    earlier calls, blocks and rate counters. Conditions of a tool are CEL (`expression`), bounded
//!    before they run. A live batch, a dry run (`dry_run`), a replay (`replay`) and an approval
//!    (`confirmation/approve`) use the same function.
//! 2. **execute** (`run_call`, `executor`): owns the running calls (`running`) and the write lock, runs
//!    handlers with deadline and retries. Reads of a batch run concurrently, writes in order and
//!    alone. A duplicate is replayed, or waits for the running call (`replayed_answer`). A refusal
//!    (`refusal`) is in the ledger like a result; that of a write is durable before it is answered.
//!    `nested` bounds the calls that handlers make; barge-in treats a nested call like its
//!    outermost parent.
//! 3. **settle** (`settle`): checks the result against `returns`, applies its intents through the
//!    `state` controller, and gives one answer and one audit record.
//!
//! A call of a tool that runs in the background, and a detached one, becomes a `task`: it is answered
//! at once, and its result is a late result.
//!
//! `confirmation` is the state machine of approvals, with its own page. A conversation
//! (`conversation_core`) has three owners of state: `conversation_info` never changes,
//! `policy_state` and the confirmations share one lock, the executor has its own. `persistence`
//! loads and saves it: `document` is the stored form, `resume` continues a conversation with its
//! pinned registry (`toolsets`, `archive`), which the rules of `assignment` chose when it began, `change` makes a change durable before it is
//! acknowledged, and `ownership` allows decisions only while this process holds the lease.
//! `handler_view` is the read-only view for handlers. `event` has everything that observers
//! receive, already redacted. `blocks` lifts blocks, `cases` runs the cases of tools, and `replay`
//! evaluates recorded calls against another registry and reports uncertain decisions.

mod admission;
mod archive;
pub mod assignment;
pub mod blocks;
mod call_identity;
mod candidate;
pub mod cases;
pub mod config;
mod confirmation;
mod conversation;
mod conversation_core;
mod conversation_info;
mod detach_on_drop;
mod dry_run;
mod event;
mod executor;
pub mod expression;
mod handler_view;
mod history;
mod in_flight;
mod invocation;
mod key;
mod loaded;
mod maintenance;
mod nested;
mod nested_call;
mod offered_tools;
mod open_error;
mod open_request;
mod orchestrator;
mod partial_bounds;
mod persistence;
mod person;
mod pipeline;
pub mod policy;
mod policy_state;
pub mod preview;
mod refusal;
pub mod replay;
mod replayed_answer;
mod run_call;
mod running;
mod services;
mod settle;
mod snapshot;
pub mod state;
mod task;
pub mod token;
mod toolset;
mod toolsets;
mod trail;
mod turn;
pub mod yes_no;

pub use admission::{Decision, Delivery, Finality, Refusal, Reservation};
pub use archive::Archive;
pub use assignment::{AssignError, AssignedRegistry, Assignment, AssignmentRule, NewConversation};
pub use candidate::Duplicate;
pub use config::Config;
pub use confirmation::{
    ApprovedEnd, ConfirmError, ConfirmationStatus, LateAnswer, ListedConfirmation, Resolution,
};
pub use conversation::Conversation;
pub use conversation_info::shown;
pub use dry_run::DryRunCall;
pub use event::{
    AnswerChannel, ConfirmationOutcome, ConversationEvent, DecidedEvent, EventSource, InputKind,
    NoopObserver, Observer,
};
pub use loaded::LoadedConversations;
pub use open_error::OpenError;
pub use open_request::OpenRequest;
pub use orchestrator::{Offer, Orchestrator, Setup};
pub use persistence::StateChangeError;
pub use person::Person;
pub use policy::PolicyName;
pub use snapshot::ConversationSnapshot;
pub use task::{CancelledTask, ListedEnd, ListedTask, stored_task, stored_tasks, told_tasks};
pub use toolset::{ConditionError, Toolset};
pub use toolsets::Offered;
pub use turn::{TurnInput, TurnStart, TurnStarting};
