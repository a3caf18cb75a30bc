//! A conversation script as it was read: who talks, what it claims to show, and its steps.

use aileron_contract::{Arguments, CallId, Mode, ToolCall};
use aileron_orchestrator::Person;
use aileron_orchestrator::state::Happening;
use aileron_runtime::capability::kb::Readers;
use serde_json::Value;

/// One conversation.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// The name of its file, without the ending.
    pub(crate) name: String,
    pub(crate) mode: Mode,
    pub(crate) person: Person,
    /// Who may read which records.
    pub(crate) readers: Readers,
    pub(crate) covers: Vec<Claim>,
    pub(crate) steps: Vec<Step>,
}

/// What a script says it shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    Policy(String),
    Error(String),
    Outcome(String),
    /// A row of the table of rules, which no run can verify by itself.
    Row(String),
}

/// One step, and the line it begins at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) what: What,
    /// The lines after it that begin with `->`.
    pub(crate) expected: Vec<Expected>,
}

/// What happens in a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    Writes,
    Says {
        text: String,
        begun_ms_ago: u64,
    },
    Clicks {
        who: Option<String>,
        approve: bool,
        question: Question,
    },
    Calls(Vec<Call>),
    Starts(Vec<Call>),
    Gets,
    Clock(u64),
    Interrupt,
    Cancel(CallId),
    /// Waits until the knowledge base holds a request of this call.
    Held(CallId),
    /// The knowledge base answers what it holds.
    Release,
    Restart(Tools),
    Deploy,
    Crash,
    Opens {
        who: String,
        mode: Mode,
        id: Option<String>,
    },
    /// The person says that the conversation goes on in this mode.
    Moves(Mode),
    Follow(Happening),
    Records(Vec<String>),
    Event(String),
    Events {
        count: usize,
        text: String,
    },
    Nowhere(String),
}

/// Which question a click answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    Newest,
    Of(CallId),
    /// The newest, with a token that was tampered with.
    Forged,
}

/// Which tools a restarted process has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tools {
    Same,
    /// Another version, and not the one before.
    Other,
}

/// One call of a message. `$token` in the arguments is the newest confirmation token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: CallId,
    pub(crate) tool: String,
    pub(crate) args: String,
}

impl Call {
    /// The call, as the model would send it.
    pub(crate) fn filled(&self, token: &str) -> ToolCall {
        ToolCall {
            call_id: self.id.clone(),
            tool_id: self.tool.clone(),
            args: Arguments::parse(&self.args.replace("$token", token)),
        }
    }
}

/// What stands after `->`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Expected {
    pub(crate) line: usize,
    /// `ok`, the type of an error, or how a question ended.
    pub(crate) word: String,
    /// The answer was given before.
    pub(crate) again: bool,
    pub(crate) by: Option<String>,
    pub(crate) says: Vec<String>,
    /// Part of the data or of the error.
    pub(crate) part: Option<Value>,
    pub(crate) meta: Option<Value>,
}
