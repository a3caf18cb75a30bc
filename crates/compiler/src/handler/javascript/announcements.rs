//! Reports messages that announce an intent which no module of the handler names, with the line that
//! returns the intent.

use super::graph::Graph;
use super::messages::{Announcement, Room};
use super::module::Module;
use crate::diagnostic::{Diagnostic, Edit};
use crate::lint::handler::message_without_intent;

/// Reports the messages in the tool's own directory whose intent no module of the handler names.
pub(super) fn check(graph: &Graph, directory: &str, found: &mut Vec<Diagnostic>) {
    if graph.modules.values().any(Option::is_none) {
        return;
    }
    let own = format!("{directory}/");
    let sends = graph.parsed().any(|module| module.facts.messages.sends);
    for module in graph.parsed().filter(|module| module.path.starts_with(&own)) {
        for sent in &module.facts.messages.sent {
            let is_named =
                graph.parsed().any(|other| other.facts.messages.intents.contains(sent.intent));
            // A block without a message is data of another kind.
            if !is_named && (sends || sent.intent != "BLOCK_USER") {
                let (source, place) = (&module.source, sent.place.clone());
                let edit = edit(module, sent);
                let finding =
                    message_without_intent::diagnose(source, &sent.kind, sent.intent, place, edit);
                found.push(finding);
            }
        }
    }
}

/// The change that returns the intent with the next result after the message.
fn edit(module: &Module, sent: &Announcement) -> Option<Edit> {
    let intent = match (sent.intent, &sent.until) {
        ("BLOCK_USER", Some(until)) => format!("{{ type: 'BLOCK_USER', until: {until} }}"),
        ("BLOCK_USER", None) => return None,
        ("START_VOICE_SESSION", _) => "{ type: 'START_VOICE_SESSION' }".to_owned(),
        _ => "{ type: 'END_VOICE_SESSION', after: 'current_turn' }".to_owned(),
    };
    // The result that comes after the message or that holds it.
    let rooms = &module.facts.messages.room;
    let result = rooms.iter().find(|result| result.end >= sent.place.start)?;
    let span = result.place.clone();
    let after = module.source.text.get(span.end..)?;
    let text = match result.room {
        Room::List if after.trim_start().starts_with(']') => intent,
        Room::List if after.starts_with('\n') => format!("{intent},"),
        Room::List => format!("{intent}, "),
        Room::Result => format!(", intents: [{intent}]"),
    };
    Some(Edit::Replace { span, text })
}

#[cfg(test)]
#[path = "announcements_tests.rs"]
mod tests;
