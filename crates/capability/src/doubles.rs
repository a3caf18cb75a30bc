//! Engines in memory: for cases, scripts, tests, and for embedding without services. Their data is
//! lost with the process.

pub mod calendar;
pub mod conversation;
pub mod images;
pub mod kb;
mod snippet;
mod words;

use std::sync::{Mutex, MutexGuard, PoisonError};

use aileron_contract::ContentHash;
use futures_util::FutureExt;
use jiff::Timestamp;
use serde_json::json;

use crate::{Answer, Caller, CapabilityFault, FaultCode};

pub use calendar::{CalendarContents, MemoryCalendar};
pub use conversation::{RecordedEffect, RecordingConversation};
pub use images::{ImagesContents, MemoryImages};
pub use kb::{KbContents, MemoryKb};

/// An answer that is available at once.
fn answer<T: Send + 'static>(result: Result<T, CapabilityFault>) -> Answer<T> {
    std::future::ready(result).boxed()
}

/// Reads an RFC 3339 date-time.
fn timestamp(text: &str) -> Result<Timestamp, CapabilityFault> {
    let wrong = |_| {
        let found: String = text.chars().take(80).collect();
        let message = format!("expected an RFC 3339 date-time, found {found:?}");
        CapabilityFault::new(FaultCode::Refused, message)
    };
    text.parse().map_err(wrong)
}

/// Returns the configured fault before anything is done.
fn check(fault: Option<&CapabilityFault>) -> Result<(), CapabilityFault> {
    fault.map_or(Ok(()), |fault| Err(fault.clone()))
}

/// An id that the same request of the same conversation gets again.
fn stable_id(prefix: &str, caller: &Caller, key: &str, number: u32) -> String {
    let request = json!([caller.conversation, key, number]);
    let hash = ContentHash::of_value(&request);
    format!("{prefix}{}", hash.as_str().get(..16).unwrap_or_default())
}

/// No state is left half changed here, so a poisoned lock can still be used.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod caller {
    //! Callers for the tests of the engines.

    use aileron_contract::{CallId, ConversationId, Mode, ToolId};

    use crate::Caller;

    pub(crate) fn of(conversation: &str) -> Caller {
        Caller {
            conversation: ConversationId::new(conversation).unwrap(),
            user: None,
            scopes: [].into(),
            mode: Mode::Text,
            tool: ToolId::new("tool").unwrap(),
            call_id: CallId::new("call").unwrap(),
            idempotency_key: "key".into(),
        }
    }
}
