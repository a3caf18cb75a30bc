//! The idempotency keys of calls. A provider chooses its call ids, so an id that looks like a key
//! made here is not used as a key: it could be mistaken for another call.

use std::sync::Arc;

use aileron_contract::{CallId, ContentHash};
use aileron_store::CallContent;
use serde_json::json;

/// A provider's call id identifies a call if it is longer than this.
const SHORTEST_TELLING_ID: usize = 8;

const HASHED: char = '#';
const APPROVED: &str = CallId::APPROVED_PREFIX;

/// The key of a call that the provider's id identifies.
pub(crate) fn of_id(call_id: &CallId) -> Option<Arc<str>> {
    let id = call_id.as_str();
    if id.len() <= SHORTEST_TELLING_ID {
        return None;
    }
    Some(if looks_made_here(id) { hashed(&json!(["id", id])) } else { call_id.into() })
}

/// The key of a call whose id already belongs to another call: made of the id, the tool and the
/// arguments.
pub(crate) fn of_reused_id(id: &str, content: &CallContent) -> Arc<str> {
    hashed(&json!(["reused id", id, content.tool, content.args_hash]))
}

/// A key made of all values that distinguish a call from others.
pub(crate) fn hashed(of: &serde_json::Value) -> Arc<str> {
    format!("{HASHED}{}", ContentHash::of_value(of)).into()
}

/// The key of an approved call: made of the confirmation's id, because a confirmation is resolved
/// once.
pub(crate) fn approved(question: &str) -> String {
    format!("{APPROVED}{question}")
}

/// Whether a call was made under the key of an approval.
pub(crate) fn is_approved(key: &str) -> bool {
    key.starts_with(APPROVED)
}

/// The key of the n-th call that belongs to another one.
pub(crate) fn below(key: &str, n: impl std::fmt::Display) -> String {
    format!("{key}.{n}")
}

/// Whether this is the key, or that of a call that belongs to it.
pub(crate) fn is_or_below(key: &str, of: &str) -> bool {
    key.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn looks_made_here(id: &str) -> bool {
    let is_number = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    let is_below = id.rsplit_once('.').is_some_and(|(_, end)| is_number(end));
    is_below || id.starts_with(HASHED) || id.starts_with(APPROVED)
}
