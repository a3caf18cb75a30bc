//! The injectable faults, their spelling after `--fault`, and when each is due.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An injected fault. `at` counts the frames the simulator sends on a connection, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InjectedFault {
    Drop { at: u64 },
    GoAway { at: u64 },
    Close { code: u16, at: u64 },
    Malformed { at: u64 },
    Cancel { at: u64 },
    DuplicateCall,
    CallTwice,
    NoTurnComplete,
    SeveralTurns,
    LateTurnComplete { ms: u64 },
    Slow { ms: u64 },
    RateLimit,
    NoAck,
    EarlyDelegation,
}

/// A row of the table: spelling and effect.
pub struct FaultRow {
    pub form: &'static str,
    pub meaning: &'static str,
    read: fn(&str) -> Option<InjectedFault>,
}

impl fmt::Debug for FaultRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.form)
    }
}

/// All faults. Those with `@N` happen once, on the first connection that reaches frame N; the
/// others always.
pub const TABLE: &[FaultRow] = &[
    FaultRow {
        form: "drop@N",
        meaning: "the connection is dropped instead of sending frame N",
        read: |text| Some(InjectedFault::Drop { at: count(text, "drop@")? }),
    },
    FaultRow {
        form: "close=CODE@N",
        meaning: "the connection is closed with this code instead of sending frame N",
        read: close,
    },
    FaultRow {
        form: "goaway@N",
        meaning: "before frame N the end of the connection is announced; it ends 5 s later",
        read: |text| Some(InjectedFault::GoAway { at: count(text, "goaway@")? }),
    },
    FaultRow {
        form: "malformed@N",
        meaning: "a frame that is not JSON is sent before frame N",
        read: |text| Some(InjectedFault::Malformed { at: count(text, "malformed@")? }),
    },
    FaultRow {
        form: "cancel@N",
        meaning: "the first calls that are open at frame N or later are cancelled (Gemini Live)",
        read: |text| Some(InjectedFault::Cancel { at: count(text, "cancel@")? }),
    },
    FaultRow {
        form: "duplicate-call",
        meaning: "every message with calls is sent twice",
        read: |text| (text == "duplicate-call").then_some(InjectedFault::DuplicateCall),
    },
    FaultRow {
        form: "call-twice-in-server-content",
        meaning: "calls are sent in serverContent as well as in toolCall (Gemini Live)",
        read: |text| (text == "call-twice-in-server-content").then_some(InjectedFault::CallTwice),
    },
    FaultRow {
        form: "no-turn-complete",
        meaning: "the end of a turn is not reported",
        read: |text| (text == "no-turn-complete").then_some(InjectedFault::NoTurnComplete),
    },
    FaultRow {
        form: "several-turns",
        meaning: "each sentence is a turn, and interactionStatus says whether another one follows (Gemini Live)",
        read: |text| (text == "several-turns").then_some(InjectedFault::SeveralTurns),
    },
    FaultRow {
        form: "late-turn-complete=MS",
        meaning: "the end of a turn is reported this many milliseconds late",
        read: |text| {
            Some(InjectedFault::LateTurnComplete { ms: number(text, "late-turn-complete=")? })
        },
    },
    FaultRow {
        form: "slow=MS",
        meaning: "every frame is delayed by this many milliseconds",
        read: |text| Some(InjectedFault::Slow { ms: number(text, "slow=")? }),
    },
    FaultRow {
        form: "rate-limit",
        meaning: "every request for a reply is answered with a quota error",
        read: |text| (text == "rate-limit").then_some(InjectedFault::RateLimit),
    },
    FaultRow {
        form: "no-ack",
        meaning: "appended text is never acknowledged (OpenAI Live)",
        read: |text| (text == "no-ack").then_some(InjectedFault::NoAck),
    },
    FaultRow {
        form: "early-delegation",
        meaning: "a delegation comes before the words it is about (OpenAI Live)",
        read: |text| (text == "early-delegation").then_some(InjectedFault::EarlyDelegation),
    },
];

fn number(text: &str, prefix: &str) -> Option<u64> {
    text.strip_prefix(prefix)?.parse().ok()
}

fn count(text: &str, prefix: &str) -> Option<u64> {
    number(text, prefix).filter(|number| *number > 0)
}

/// Parses a code that is allowed in a close frame.
fn close(text: &str) -> Option<InjectedFault> {
    let (code, at) = text.strip_prefix("close=")?.split_once('@')?;
    let code =
        code.parse().ok().filter(|code| matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999))?;
    Some(InjectedFault::Close { code, at: count(at, "")? })
}

impl fmt::Display for InjectedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop { at } => write!(f, "drop@{at}"),
            Self::GoAway { at } => write!(f, "goaway@{at}"),
            Self::Close { code, at } => write!(f, "close={code}@{at}"),
            Self::Malformed { at } => write!(f, "malformed@{at}"),
            Self::Cancel { at } => write!(f, "cancel@{at}"),
            Self::DuplicateCall => f.write_str("duplicate-call"),
            Self::CallTwice => f.write_str("call-twice-in-server-content"),
            Self::NoTurnComplete => f.write_str("no-turn-complete"),
            Self::SeveralTurns => f.write_str("several-turns"),
            Self::LateTurnComplete { ms } => write!(f, "late-turn-complete={ms}"),
            Self::Slow { ms } => write!(f, "slow={ms}"),
            Self::RateLimit => f.write_str("rate-limit"),
            Self::NoAck => f.write_str("no-ack"),
            Self::EarlyDelegation => f.write_str("early-delegation"),
        }
    }
}

/// An unknown fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFault {
    found: String,
}

impl FromStr for InjectedFault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let text = text.trim();
        let found = TABLE.iter().find_map(|row| (row.read)(text));
        found.ok_or_else(|| UnknownFault { found: text.to_owned() })
    }
}

impl fmt::Display for UnknownFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let likeness = |row: &FaultRow| strsim::jaro_winkler(row.form, &self.found);
        let closest = TABLE.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let closest = closest.map_or("", |row| row.form);
        writeln!(f, "there is no fault {:?}; did you mean {closest}? There are:", self.found)?;
        let width = TABLE.iter().map(|row| row.form.len()).max().unwrap_or_default();
        for (at, row) in TABLE.iter().enumerate() {
            let end = if at + 1 < TABLE.len() { "\n" } else { "" };
            write!(f, "  {:width$}  {}{end}", row.form, row.meaning)?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFault {}

/// The faults of a simulator, and which of them have happened.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    all: Vec<InjectedFault>,
    spent: Mutex<Vec<InjectedFault>>,
}

impl Faults {
    pub(crate) fn new(all: Vec<InjectedFault>) -> Self {
        Self { all, spent: Mutex::default() }
    }

    /// Whether a permanent fault is switched on.
    pub(crate) fn has(&self, fault: InjectedFault) -> bool {
        self.all.contains(&fault)
    }

    /// The delay of every frame.
    pub(crate) fn slowness(&self) -> Option<Duration> {
        self.all.iter().find_map(|fault| match fault {
            InjectedFault::Slow { ms } => Some(Duration::from_millis(*ms)),
            _ => None,
        })
    }

    /// The delay of the end of turns.
    pub(crate) fn late_end(&self) -> Duration {
        let late = self.all.iter().find_map(|fault| match fault {
            InjectedFault::LateTurnComplete { ms } => Some(Duration::from_millis(*ms)),
            _ => None,
        });
        late.unwrap_or_default()
    }

    /// The one-time faults due at this frame; each is returned once.
    pub(crate) fn due(&self, frame: u64) -> Vec<InjectedFault> {
        let due = |fault: &&InjectedFault| match fault {
            InjectedFault::Drop { at }
            | InjectedFault::GoAway { at }
            | InjectedFault::Close { at, .. }
            | InjectedFault::Malformed { at } => *at == frame,
            _ => false,
        };
        let mut spent = self.spent();
        let fresh: Vec<_> =
            self.all.iter().filter(due).filter(|fault| !spent.contains(fault)).copied().collect();
        spent.extend(&fresh);
        fresh
    }

    /// Whether open calls are cancelled at this frame; true only once.
    pub(crate) fn takes_back(&self, frame: u64) -> bool {
        let mut spent = self.spent();
        let due = self.all.iter().find(|fault| {
            matches!(fault, InjectedFault::Cancel { at } if *at <= frame) && !spent.contains(fault)
        });
        spent.extend(due);
        due.is_some()
    }

    fn spent(&self) -> MutexGuard<'_, Vec<InjectedFault>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
