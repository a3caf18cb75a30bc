//! The injectable faults over HTTP, and their names.

use std::fmt;
use std::time::Duration;

use axum::http::StatusCode;

/// The faults that are switched on. The default is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpFaults {
    pub status: Option<Status>,
    pub cut: Option<StreamCut>,
    pub slow: Option<Duration>,
    pub never_ends: bool,
    pub invalid_utf8: bool,
    pub html: bool,
    pub repeat_call: bool,
    pub refuse: bool,
}

/// An error instead of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    pub code: StatusCode,
    /// Seconds.
    pub retry_after: Option<u32>,
    /// The number of affected requests; all if absent.
    pub times: Option<usize>,
}

/// Where a stream ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamCut {
    /// The connection is dropped after this many events.
    Dropped(usize),
    /// The provider reports an error after this many events.
    Error(usize),
    /// The stream ends inside of a call.
    InCall,
}

/// A word that names no fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFault(String);

impl fmt::Display for UnknownFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = HttpFaults::TABLE.iter().map(|(form, _)| *form).collect();
        write!(f, "expected one of {}; found {:?}", known.join(", "), self.0)
    }
}

impl std::error::Error for UnknownFault {}

impl HttpFaults {
    /// Each fault's word, and what happens.
    pub const TABLE: &[(&str, &str)] = &[
        (
            "status=CODE[:SECONDS][xTIMES]",
            "the first requests are answered with this status and `retry-after`",
        ),
        ("cut@N", "the connection is dropped after the Nth event"),
        ("half-call", "the stream ends within a tool call, without an error"),
        ("never-ends", "the last events are never sent, and the connection stays open"),
        ("slow=MS", "every event is delayed by this many milliseconds"),
        ("invalid-utf8", "the second event contains bytes that are not UTF-8"),
        ("html", "the answer is an HTML page"),
        ("repeat-call", "the first call of a conversation is repeated in every reply"),
        ("error-event@N", "the provider's own error is sent after the Nth event"),
        ("refuse", "the provider refuses to answer (content filter)"),
    ];

    /// All the faults that the words name. A later word replaces an earlier one of its kind.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownFault> {
        let mut faults = Self::default();
        for word in words {
            faults.add(word.trim()).ok_or_else(|| UnknownFault(word.chars().take(80).collect()))?;
        }
        Ok(faults)
    }

    fn add(&mut self, word: &str) -> Option<()> {
        match word {
            "half-call" => self.cut = Some(StreamCut::InCall),
            "never-ends" => self.never_ends = true,
            "invalid-utf8" => self.invalid_utf8 = true,
            "html" => self.html = true,
            "repeat-call" => self.repeat_call = true,
            "refuse" => self.refuse = true,
            word => return self.add_with_value(word),
        }
        Some(())
    }

    fn add_with_value(&mut self, word: &str) -> Option<()> {
        let at = word.find(['=', '@'])?;
        let (name, value) = (&word[..=at], &word[at + 1..]);
        match name {
            "status=" => self.status = Some(status(value)?),
            "slow=" => self.slow = Some(Duration::from_millis(value.parse().ok()?)),
            "cut@" => self.cut = Some(StreamCut::Dropped(value.parse().ok()?)),
            "error-event@" => self.cut = Some(StreamCut::Error(value.parse().ok()?)),
            _ => return None,
        }
        Some(())
    }
}

fn status(value: &str) -> Option<Status> {
    let (value, times) = match value.split_once('x') {
        Some((value, times)) => (value, Some(times.parse().ok()?)),
        None => (value, None),
    };
    let (code, retry_after) = match value.split_once(':') {
        Some((code, seconds)) => (code, Some(seconds.parse().ok()?)),
        None => (value, None),
    };
    let code: u16 = code.parse().ok()?;
    let error = (400..600).contains(&code);
    let code = StatusCode::from_u16(code).ok().filter(|_| error)?;
    Some(Status { code, retry_after, times })
}

#[cfg(test)]
#[path = "faults_tests.rs"]
mod tests;
