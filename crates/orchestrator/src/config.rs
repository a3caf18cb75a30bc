//! The settings of the policies. A file may change the defaults.

use std::time::Duration;

use aileron_contract::{Backoff, Mode};
use serde::{Deserialize, Deserializer, Serialize};

/// The section `[policies]` of `aileron.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub budgets: PerMode<Budget>,
    pub loops: Loops,
    pub retries: Retries,
    pub deadlines: PerMode<Deadline>,
    pub results: PerMode<ResultLimit>,
    pub confirmation: ConfirmationLimits,
    pub nesting: Nesting,
    pub tasks: TaskLimits,
    pub ledger: Ledger,
    pub retention: Retention,
    pub audit: AuditSettings,
}

/// A setting for each mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, bound(deserialize = "T: ModeDefault"))]
pub struct PerMode<T: ModeDefault> {
    #[serde(deserialize_with = "text")]
    pub text: T,
    #[serde(deserialize_with = "voice")]
    pub voice: T,
}

/// A setting whose default depends on the mode.
pub trait ModeDefault: Sized {
    /// The setting in a file: each field is optional.
    type Given: for<'de> Deserialize<'de>;

    /// The default for this mode.
    fn default_for(mode: Mode) -> Self;

    /// The setting, with the given fields in place of the defaults.
    #[must_use]
    fn with(self, given: Self::Given) -> Self;
}

fn text<'de, T: ModeDefault, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::Given::deserialize(deserializer).map(|given| T::default_for(Mode::Text).with(given))
}

fn voice<'de, T: ModeDefault, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::Given::deserialize(deserializer).map(|given| T::default_for(Mode::Voice).with(given))
}

impl<T: ModeDefault> Default for PerMode<T> {
    fn default() -> Self {
        Self { text: T::default_for(Mode::Text), voice: T::default_for(Mode::Voice) }
    }
}

impl<T: ModeDefault> PerMode<T> {
    /// The setting of a mode.
    pub fn of(&self, mode: Mode) -> &T {
        match mode {
            Mode::Text => &self.text,
            Mode::Voice => &self.voice,
        }
    }
}

/// How many calls one turn may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Budget {
    pub retrieval: u32,
    pub total: u32,
}

/// A [`Budget`] in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GivenBudget {
    retrieval: Option<u32>,
    total: Option<u32>,
}

impl ModeDefault for Budget {
    type Given = GivenBudget;

    fn default_for(mode: Mode) -> Self {
        match mode {
            Mode::Text => Self { retrieval: 5, total: 10 },
            Mode::Voice => Self { retrieval: 2, total: 3 },
        }
    }

    fn with(self, given: GivenBudget) -> Self {
        Self {
            retrieval: given.retrieval.unwrap_or(self.retrieval),
            total: given.total.unwrap_or(self.total),
        }
    }
}

/// When a call is refused because the model repeats itself within one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Loops {
    /// Refuse the n-th identical call of a turn.
    pub identical: usize,
    /// After this many empty results of a tool, its next call is refused.
    pub empty: usize,
    /// Refuse a tool's next call after n - 1 identical errors in the turn.
    pub errors: usize,
    /// How many turns are remembered.
    pub history_turns: usize,
}

impl Default for Loops {
    fn default() -> Self {
        Self { identical: 3, empty: 2, errors: 3, history_turns: 5 }
    }
}

/// How often a failed call is tried again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retries {
    pub text: u32,
    pub voice: u32,
    /// The maximum wait before the first retry; it doubles for each further one, and a random part
    /// of up to half of it is subtracted.
    pub base_ms: u64,
}

impl Default for Retries {
    fn default() -> Self {
        Self { text: 2, voice: 0, base_ms: 200 }
    }
}

/// No retry waits longer.
const MAX_RETRY_WAIT: Duration = Duration::from_secs(30);

impl Retries {
    /// The waits between attempts.
    pub(crate) fn backoff(&self) -> Backoff {
        Backoff { base: Duration::from_millis(self.base_ms), max: MAX_RETRY_WAIT }
    }

    /// How many more attempts a mode allows.
    pub fn max(&self, mode: Mode) -> u32 {
        match mode {
            Mode::Text => self.text,
            Mode::Voice => self.voice,
        }
    }
}

/// The maximum duration of any call in a mode, whatever its tool declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Deadline {
    pub max_ms: u64,
}

/// A [`Deadline`] in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GivenDeadline {
    max_ms: Option<u64>,
}

impl ModeDefault for Deadline {
    type Given = GivenDeadline;

    fn default_for(mode: Mode) -> Self {
        match mode {
            Mode::Text => Self { max_ms: 120_000 },
            Mode::Voice => Self { max_ms: 20_000 },
        }
    }

    fn with(self, given: GivenDeadline) -> Self {
        Self { max_ms: given.max_ms.unwrap_or(self.max_ms) }
    }
}

/// The maximum size of a result for the model, unless its tool declares another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ResultLimit {
    pub max_chars: usize,
}

/// A [`ResultLimit`] in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GivenResultLimit {
    max_chars: Option<usize>,
}

impl ModeDefault for ResultLimit {
    type Given = GivenResultLimit;

    fn default_for(mode: Mode) -> Self {
        match mode {
            Mode::Text => Self { max_chars: 40_000 },
            Mode::Voice => Self { max_chars: 8_000 },
        }
    }

    fn with(self, given: GivenResultLimit) -> Self {
        Self { max_chars: given.max_chars.unwrap_or(self.max_chars) }
    }
}

/// Limits of confirmations: how long the person may take to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConfirmationLimits {
    pub ttl_seconds: u64,
    /// The maximum number of open confirmations in one conversation.
    pub max_pending: usize,
}

impl Default for ConfirmationLimits {
    fn default() -> Self {
        Self { ttl_seconds: 300, max_pending: 16 }
    }
}

/// Limits on tools that call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Nesting {
    /// The maximum nesting depth of calls.
    pub max_depth: usize,
}

impl Default for Nesting {
    fn default() -> Self {
        Self { max_depth: 3 }
    }
}

/// Limits of tasks, which are calls that run in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskLimits {
    /// How many may run at the same time in one conversation.
    pub per_conversation: usize,
    /// How many may run at the same time for one person, in all their conversations.
    pub per_person: usize,
    /// The maximum duration, whatever the tool declares.
    pub max_ms: u64,
    /// How often a task that only reads is started, if its process dies each time.
    pub max_runs: u32,
    /// Whether a text conversation that is open may be continued with the result of a task before the
    /// person writes again.
    pub follow_up: bool,
}

impl Default for TaskLimits {
    fn default() -> Self {
        Self {
            per_conversation: 5,
            per_person: 20,
            max_ms: 86_400_000,
            max_runs: 3,
            follow_up: true,
        }
    }
}

/// How long calls are kept in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ledger {
    /// How long a call is remembered as a duplicate; within this time it is answered from the ledger.
    pub keep_hours: u64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { keep_hours: 168 }
    }
}

/// How long conversations and audit records are kept. 0 means forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// A conversation that was not used for this time is removed, with its messages.
    pub conversations_days: u64,
    /// Audit records older than this are removed.
    pub audit_days: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { conversations_days: 365, audit_days: 0 }
    }
}

/// The contents of audit records besides the call and its answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditSettings {
    /// How much of the trail of a decision is recorded.
    pub trail: RecordedTrail,
}

/// How much of the trail of a decision is recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedTrail {
    /// The policy that refused the call, asked the person or found a duplicate, with its number.
    #[default]
    Deciding,
    /// Every policy that the call met.
    All,
}
