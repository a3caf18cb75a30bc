//! The chain: each record carries the hash of the one before, so that changing, removing or
//! inserting a record breaks every hash after it.
//!
//! The chain alone does not show that its newest records were removed; store the last [`Link`]
//! elsewhere to detect that.

use std::fmt;

use serde::Serialize;
use serde::de::value::{Error as TextError, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};

use super::{AuditEntry, Outcome, TrailStep};
use crate::canonical;
use crate::error::ErrorType;
use crate::hash::ContentHash;
use crate::id::{CallId, ConversationId, UserId};
use crate::mode::Mode;
use crate::spec::Category;

/// The newest record of a chain, to which the next one is linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Link {
    pub seq: u64,
    pub hash: ContentHash,
}

/// Where and how a chain is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainBreak {
    /// The first record that breaks the chain.
    pub seq: u64,
    pub why: String,
}

impl fmt::Display for ChainBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "audit record {} is broken: {}", self.seq, self.why)
    }
}

impl std::error::Error for ChainBreak {}

/// The part of a record's text that links it.
#[derive(serde::Deserialize)]
struct ChainFields {
    seq: u64,
    previous: ContentHash,
}

impl Link {
    /// The head before the first record.
    pub fn genesis() -> Self {
        Self { seq: 0, hash: ContentHash::of_bytes(b"") }
    }

    /// A head that was stored.
    pub fn new(seq: u64, hash: &str) -> Self {
        Self { seq, hash: written_hash(hash) }
    }

    /// Appends a record: returns its hashed text and the new head.
    pub fn append(&self, entry: &AuditEntry) -> (String, Self) {
        let seq = self.seq.saturating_add(1);
        let body = body(seq, entry, &self.hash);
        let hash = ContentHash::of_bytes(body.as_bytes());
        (body, Self { seq, hash })
    }

    /// Checks that a record is the one directly after this head.
    pub fn follow(&self, body: &str, hash: &str) -> Result<Self, ChainBreak> {
        let expected = self.seq.saturating_add(1);
        let broken = |why: String| ChainBreak { seq: expected, why };
        let linked: ChainFields = serde_json::from_str(body)
            .map_err(|error| broken(format!("its text cannot be read: {error}")))?;
        if linked.seq != expected {
            return Err(broken(format!("expected it here, found record {}", linked.seq)));
        }
        if linked.previous != self.hash {
            return Err(broken("it does not follow the record before it".to_owned()));
        }
        let found = ContentHash::of_bytes(body.as_bytes());
        if found.as_str() != hash {
            return Err(broken(format!("its content hashes to {}, not {hash}", found.short())));
        }
        Ok(Self { seq: expected, hash: found })
    }
}

/// Accepts any text; a text that is no hash fails the comparison later.
fn written_hash(text: &str) -> ContentHash {
    let reader: StrDeserializer<'_, TextError> = text.into_deserializer();
    ContentHash::deserialize(reader).unwrap_or_else(|_| ContentHash::of_bytes(b""))
}

/// The members of a record between `args` and `result`, in canonical order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BeforeResult<'a> {
    attempts: u32,
    call_id: &'a CallId,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<Category>,
    conversation: &'a ConversationId,
    duration: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorType>,
    mode: Mode,
    outcome: &'a Outcome,
    previous: &'a ContentHash,
    registry_version: &'a str,
}

/// The members of a record after `result`, in canonical order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AfterResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retryable: Option<bool>,
    seq: u64,
    time: u64,
    tool_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_version: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    trail: &'a [TrailStep],
    turn: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a UserId>,
}

/// The canonical JSON of a record without its hash. Only `args` and `result` can contain values
/// that `serde_json` writes in another order or form, so only they are canonicalised.
fn body(seq: u64, entry: &AuditEntry, previous: &ContentHash) -> String {
    let mut body = "{\"args\":".to_owned();
    canonical::write(&entry.args, &mut body);
    push_members(&mut body, &before_result(entry, previous));
    if let Some(result) = &entry.result {
        body.push_str(",\"result\":");
        canonical::write(result, &mut body);
    }
    push_members(&mut body, &after_result(seq, entry));
    body.push('}');
    body
}

/// Writing text and numbers to memory cannot fail, so the fallback is never taken.
fn push_members(body: &mut String, members: &impl Serialize) {
    let object = serde_json::to_string(members).unwrap_or_default();
    body.push(',');
    body.push_str(object.trim_start_matches('{').strip_suffix('}').unwrap_or(&object));
}

fn before_result<'a>(entry: &'a AuditEntry, previous: &'a ContentHash) -> BeforeResult<'a> {
    BeforeResult {
        attempts: entry.attempts,
        call_id: &entry.call_id,
        category: entry.category,
        conversation: &entry.conversation,
        duration: entry.duration,
        error: entry.error,
        mode: entry.mode,
        outcome: &entry.outcome,
        previous,
        registry_version: &entry.registry_version,
    }
}

fn after_result(seq: u64, entry: &AuditEntry) -> AfterResult<'_> {
    AfterResult {
        result_bytes: entry.result_bytes,
        retryable: entry.retryable,
        seq,
        time: entry.time,
        tool_id: &entry.tool_id,
        tool_version: entry.tool_version.as_deref(),
        trail: &entry.trail,
        turn: entry.turn,
        user: entry.user.as_ref(),
    }
}
