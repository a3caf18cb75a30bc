//! Faults of replies: errors of a provider, looked up in its table, and faults that we detect.

use std::time::Duration;

use Severity::{Fatal, Retry};
use aileron_contract::text::ReplyFault;
use aileron_contract::transport::Severity;
use serde_json::Value;

use crate::lenient;

/// A row: the provider's error code, severity, reason.
pub(super) type Word = (&'static str, Severity, &'static str);

/// A row: first and last status, severity, reason.
pub(super) type Status = (u16, u16, Severity, &'static str);

/// The meaning of a provider's errors; the first row that matches counts, codes before statuses.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) words: &'static [Word],
    pub(super) statuses: &'static [Status],
}

const UNLISTED: &str = "an error that is not listed; another attempt may do";

impl Table {
    pub(super) fn classify(&self, status: Option<u16>, report: ProviderError) -> ReplyFault {
        let known = |word: &String| self.words.iter().find(|(name, ..)| *name == word.as_str());
        let by_word =
            report.words.iter().find_map(known).map(|(_, severity, why)| (*severity, *why));
        let fits =
            |(first, last, ..): &&Status| status.is_some_and(|s| (*first..=*last).contains(&s));
        let by_status =
            self.statuses.iter().find(fits).map(|(_, _, severity, why)| (*severity, *why));
        let (severity, reason) = by_word.or(by_status).unwrap_or((Retry, UNLISTED));
        let code = report.words.into_iter().next();
        let code = code.or_else(|| status.map(|status| format!("http {status}")));
        ReplyFault {
            severity,
            code: code.unwrap_or_else(|| "error".to_owned()),
            message: report.message,
            reason,
            retry_after: report.retry_after,
        }
    }
}

/// An error as the provider reports it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ProviderError {
    /// Its codes, the most specific first.
    words: Vec<String>,
    message: String,
    retry_after: Option<Duration>,
}

impl ProviderError {
    /// The error in a body, or the beginning of the body.
    pub(super) fn of_body(body: &str) -> Self {
        let parsed = serde_json::from_str(body).ok();
        let found = parsed.as_ref().and_then(Self::of);
        found.unwrap_or_else(|| Self { message: summary(body), ..Self::default() })
    }

    /// The error in a value, in any of the known formats.
    pub(super) fn of(value: &Value) -> Option<Self> {
        // Gemini wraps it in an array where the request did not ask for an event stream.
        let value = value.get(0).unwrap_or(value);
        match value.get("error") {
            Some(Value::String(message)) => Some(Self::words_of(value, message)),
            Some(error @ Value::Object(_)) => Some(Self::details(error)),
            _ => {
                let message = value.get("message").or_else(|| value.get("detail"))?;
                Some(Self::words_of(value, message.as_str()?))
            }
        }
    }

    /// An object with some of `code`, `status`, `type` and `message`.
    pub(super) fn details(error: &Value) -> Self {
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        Self { retry_after: retry_info(error), ..Self::words_of(error, message) }
    }

    fn words_of(value: &Value, message: &str) -> Self {
        let word = |name| value.get(name).and_then(Value::as_str).filter(|word| !word.is_empty());
        let words = ["code", "status", "type"].into_iter().filter_map(word);
        let words = words.filter(|word| *word != "error").map(lenient::excerpt).collect();
        Self { words, message: lenient::excerpt(message), retry_after: None }
    }
}

/// The retry delay that Gemini sends among the details of an error.
fn retry_info(error: &Value) -> Option<Duration> {
    let details = error.get("details")?.as_array()?;
    details.iter().find_map(|detail| lenient::duration(detail.get("retryDelay")?.as_str()?))
}

/// An HTML page is omitted; other text may help.
fn summary(body: &str) -> String {
    let text = body.trim();
    if is_page(text) { "an HTML page".to_owned() } else { lenient::excerpt(text) }
}

/// Whether a text looks like HTML.
pub(super) fn is_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(14).collect::<String>().to_lowercase();
    start.starts_with("<!doctype") || start.starts_with("<html")
}

/// A fault that we detect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalFault {
    Connection,
    Certificate,
    Timeout,
    CutShort,
    Unreadable,
    NotUtf8,
    TooLarge,
    NotAStream,
    Compressed,
}

impl LocalFault {
    const fn row(self) -> Word {
        match self {
            Self::Connection => {
                ("connection", Retry, "the server could not be reached, or went away")
            }
            Self::Certificate => {
                ("certificate", Fatal, "the certificate of the server cannot be trusted")
            }
            Self::Timeout => ("timeout", Retry, "the server took longer than it may"),
            Self::CutShort => ("cut_short", Retry, "the stream ended before the reply did"),
            Self::Unreadable => {
                ("unreadable", Retry, "the server sent what its protocol does not have")
            }
            Self::NotUtf8 => ("not_utf8", Retry, "the server sent what is not text"),
            Self::TooLarge => ("too_large", Fatal, "the reply is larger than replies may be"),
            Self::NotAStream => {
                ("not_a_stream", Fatal, "the address does not lead to a model that streams")
            }
            Self::Compressed => ("compressed", Fatal, "the server sent a form nobody asked for"),
        }
    }

    pub(super) fn fault(self, message: impl AsRef<str>) -> ReplyFault {
        let (code, severity, reason) = self.row();
        let message = lenient::excerpt(message.as_ref());
        ReplyFault { severity, code: code.to_owned(), message, reason, retry_after: None }
    }
}

/// An event that violates the protocol.
pub(super) fn unreadable(expected: &str, found: impl std::fmt::Display) -> ReplyFault {
    LocalFault::Unreadable.fault(format!("expected {expected}, found {found}"))
}

/// The stream ended before the reply.
pub(super) fn cut_short(expected: &str) -> ReplyFault {
    LocalFault::CutShort.fault(format!("expected {expected}, found the end of the stream"))
}

/// A provider's table as a page.
#[cfg(test)]
pub(super) fn page(table: &Table) -> String {
    let word = |(name, severity, why): &Word| format!("{name:<32} {severity:?}  {why}");
    let status = |code: u16| {
        let fault = table.classify(Some(code), ProviderError::default());
        format!("{:<32} {:?}  {}", fault.code, fault.severity, fault.reason)
    };
    let statuses =
        [301, 400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 504, 529];
    let lines = table.words.iter().map(word).chain(statuses.map(status));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
