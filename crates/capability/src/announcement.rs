//! Messages that tell the page about a change, such as `timeout`, and the intents that make the change.
//!
//! A handler that sends the message and does not return the intent changes nothing: the page shows a
//! countdown, and the person is not blocked. The author is warned in `meta.warnings` and in the log.

use std::sync::{Mutex, PoisonError};

use aileron_contract::intent::announced_intent;
use serde_json::Value;

use crate::outcome::{Success, ToolResult};

/// Members of `data` that may name a request for the page.
const REQUEST_MEMBERS: [&str; 2] = ["type", "action"];

/// Longest type of a message, which a warning quotes.
const LONGEST_TYPE: usize = 40;

/// The intents that messages of one call announced.
#[derive(Debug, Default)]
pub struct Announcements(Mutex<Vec<Announcement>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Announcement {
    message: String,
    intent: &'static str,
}

impl Announcements {
    /// Records a message of that type, if it announces an intent.
    pub(crate) fn note(&self, message: &str) {
        let Some(intent) = announced_intent(message).filter(|_| message.len() <= LONGEST_TYPE)
        else {
            return;
        };
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.iter().all(|known| known.intent != intent) {
            list.push(Announcement { message: message.to_owned(), intent });
        }
    }

    /// A sentence for each announced intent that the result does not have.
    pub fn warnings(&self, result: &ToolResult) -> Vec<String> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let returned = result.as_ref().ok();
        let has = |intent: &str| {
            returned.is_some_and(|it| it.intents.iter().any(|one| one.name() == intent))
        };
        let unmet = list.iter().filter(|one| !has(one.intent));
        let mut warnings: Vec<_> = unmet.map(|one| warning(&one.message, one.intent)).collect();
        let requested = returned.and_then(requested_intent).filter(|(_, intent)| !has(intent));
        let is_told = |intent: &str| list.iter().any(|one| one.intent == intent);
        if let Some((name, intent)) = requested.filter(|(_, intent)| !is_told(intent)) {
            warnings.push(format!("`data` asks for `{name}`, {}", consequence(intent)));
        }
        warnings
    }
}

/// The voice session that `data` asks for: `{ "action": "start_voice_session" }`.
fn requested_intent(success: &Success) -> Option<(&str, &'static str)> {
    let named = REQUEST_MEMBERS.iter().filter_map(|name| success.data.get(name)?.as_str());
    let mut announced = named.filter_map(|name| Some((name, announced_intent(name)?)));
    announced.find(|(_, intent)| *intent != "BLOCK_USER")
}

fn warning(message: &str, intent: &str) -> String {
    format!("the message `{message}` was sent, {}", consequence(intent))
}

/// The change that did not happen without the intent.
fn consequence(intent: &str) -> String {
    let outcome = match intent {
        "BLOCK_USER" => "the person is not blocked",
        "START_VOICE_SESSION" => "no voice session begins",
        _ => "the voice session does not end",
    };
    format!("but the handler returned no `{intent}` intent, so {outcome}")
}

/// A sentence if a handler returned `meta` of its own, which the pipeline writes. Its names are not
/// quoted, because they may be data that the tool hides.
pub(crate) fn dropped_meta(meta: &Value) -> Option<String> {
    let mut names = meta.as_object()?.keys();
    names.any(|name| !KNOWN_META.contains(&name.as_str())).then(|| META_DROPPED.to_owned())
}

const META_DROPPED: &str = "the handler returned `meta` of its own, which is not kept: the pipeline writes `meta`; return the values in `data`";

/// Members of `meta` that the pipeline writes itself, and that handlers made for other registries return.
const KNOWN_META: [&str; 10] = [
    "attempts",
    "callId",
    "duration",
    "durationMs",
    "registryVersion",
    "responseSchemaVersion",
    "tool",
    "toolId",
    "toolVersion",
    "version",
];

#[cfg(test)]
#[path = "announcement_tests.rs"]
mod tests;
