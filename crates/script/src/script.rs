//! A parsed conversation script: the person, the behaviour it covers, and its steps.

use aileron_contract::{Arguments, CallId, Mode, ToolCall, UserId};
use serde_json::{Map, Value};

/// One conversation.
#[derive(Debug, Clone)]
pub struct Script {
    /// The name of its file, without the extension.
    pub name: String,
    pub mode: Mode,
    pub person: Person,
    /// The readers of records, if the script limits them.
    pub readers: Map<String, Value>,
    pub covers: Vec<ScriptClaim>,
    pub steps: Vec<ScriptStep>,
}

/// The person of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Person {
    /// Anonymous if absent.
    pub id: Option<UserId>,
    pub scopes: Vec<String>,
    pub claims: Map<String, Value>,
}

/// The behaviour that a script covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptClaim {
    Policy(String),
    Error(String),
    Outcome(String),
    /// A row of the table of rules, which a single run cannot verify.
    Row(String),
}

/// One step, and the line it begins at.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptStep {
    pub line: usize,
    pub what: StepKind,
    /// The lines after it that begin with `->`.
    pub expected: Vec<ExpectedResult>,
}

/// The action of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    Writes {
        text: String,
    },
    Says {
        text: String,
        begun_ms_ago: u64,
    },
    Clicks {
        who: Option<String>,
        approve: bool,
        question: ConfirmationRef,
    },
    /// The model speaks or writes.
    ModelSays(String),
    /// The model reasons.
    ModelThinks(String),
    Calls(Vec<ScriptCall>),
    Starts(Vec<ScriptCall>),
    Gets,
    Clock(u64),
    Interrupt,
    Cancel(CallId),
    /// Waits until the knowledge base holds a request of this call.
    Held(CallId),
    /// The knowledge base answers the requests it holds.
    Release,
    Restart(Tools),
    Deploy,
    Crash,
    Opens {
        who: String,
        mode: Mode,
        id: Option<String>,
    },
    /// The person moves the conversation to this mode.
    Moves(Mode),
    Reported(ProviderReport),
    Records(Vec<String>),
    Event(String),
    Events {
        count: usize,
        text: String,
    },
    Nowhere(String),
}

/// An event of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderReport {
    TurnEnds,
    FarewellSpoken,
    VoiceConnectionEnds,
    VoiceConnectionIsBack,
    PersonLeaves,
}

/// The confirmation that a click answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmationRef {
    Newest,
    Of(CallId),
    /// The newest, with a token that was tampered with.
    Forged,
}

/// Which tools a restarted process has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    Same,
    /// Another version, and not the one before.
    Other,
}

/// One call of a message. `$token` in the arguments is the newest confirmation token.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptCall {
    pub id: CallId,
    pub tool: String,
    pub args: String,
}

impl ScriptCall {
    /// The call, as the model would send it.
    pub fn filled(&self, token: &str) -> ToolCall {
        ToolCall {
            call_id: self.id.clone(),
            tool_id: self.tool.clone(),
            args: Arguments::parse(&self.args.replace("$token", token)),
        }
    }
}

/// The expectation after `->`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExpectedResult {
    pub line: usize,
    /// `ok`, the type of an error, or how a confirmation ended.
    pub word: String,
    /// The result is a replay.
    pub again: bool,
    pub by: Option<String>,
    pub says: Vec<String>,
    /// Part of the data or of the error.
    pub part: Option<Value>,
    pub meta: Option<Value>,
}
