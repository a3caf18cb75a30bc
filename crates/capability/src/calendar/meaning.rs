//! Labels of a call's arguments for the person who approves it: the id of a draft is shown as that
//! draft. A draft never changes under its id, so the label shows the event that would be created.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Calendar, DraftRequest, EventDraft, Zone};
use crate::Caller;

const ORGANIZER: &str = "the organizer";
const DAY_AND_TIME: &str = "%a %-d %b %Y, %H:%M";

/// The labels and the subject of a call, from an engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallMeaning {
    /// The label of an argument, by its name.
    pub arguments: BTreeMap<String, String>,
    /// Equal for two calls that would create the same thing, even at different times.
    pub subject: Option<String>,
}

/// A label for each argument that is the id of a draft of this conversation. An argument whose
/// draft cannot be read has no label.
pub async fn meanings(calendar: &dyn Calendar, caller: &Caller, args: &Value) -> CallMeaning {
    let mut found = CallMeaning::default();
    for (name, value) in args.as_object().into_iter().flatten() {
        let Some(id) = value.as_str() else { continue };
        let kept = calendar.draft(caller, DraftRequest { id: id.to_owned() }).await;
        let draft = kept.ok().flatten().and_then(|kept| EventDraft::deserialize(kept).ok());
        if let Some(draft) = draft {
            found.subject = Some(subject(&draft));
            let words = in_words(&draft, calendar.makes_links());
            found.arguments.insert(name.clone(), words);
        }
    }
    found
}

/// The event without its time: its title and its attendees.
fn subject(draft: &EventDraft) -> String {
    let mut people: Vec<_> = draft.attendees.iter().map(|it| it.to_lowercase()).collect();
    people.sort();
    json!([draft.title.to_lowercase(), people]).to_string()
}

/// Title, time, every address, the link and the text of the event.
fn in_words(draft: &EventDraft, makes_links: bool) -> String {
    let title = draft.title.replace('"', "'");
    let mut words = format!("\"{title}\", {}, with {}", time(draft), draft.attendees.join(", "));
    let organizer = draft.organizer_busy.then_some(ORGANIZER);
    let busy: Vec<&str> = draft.busy.iter().map(String::as_str).chain(organizer).collect();
    if !busy.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(words, "; busy then: {}", busy.join(", "));
    }
    let has_link = draft.video_link && makes_links;
    words.push_str(if has_link { "; with a video link" } else { "; no video link" });
    if !draft.agenda.is_empty() {
        let _ = write!(words, "; text: {}", draft.agenda);
    }
    words
}

/// `Thu 5 Feb 2026, 10:00 to 11:00 (Europe/Berlin, +01:00)`, as the clocks of its zone show it.
fn time(draft: &EventDraft) -> String {
    let as_written = || format!("{} to {}", draft.start, draft.end);
    let moments = draft.start.parse::<Timestamp>().ok().zip(draft.end.parse::<Timestamp>().ok());
    let Some((start, end)) = moments else { return as_written() };
    let offset = draft.start.get(19..).filter(|it| !it.is_empty()).unwrap_or("Z");
    let named = draft.time_zone.as_deref().and_then(|name| Zone::named(name).ok());
    let Some(zone) = named.clone().or_else(|| Zone::named(offset).ok()) else {
        return as_written();
    };
    let (from, to) = (zone.local(start), zone.local(end));
    let until = if from.date() == to.date() { "%H:%M" } else { DAY_AND_TIME };
    let offset = if offset == "Z" { "UTC" } else { offset };
    let place = match named {
        Some(zone) => format!("{}, {offset}", zone.name()),
        None => offset.to_owned(),
    };
    format!("{} to {} ({place})", from.strftime(DAY_AND_TIME), to.strftime(until))
}

#[cfg(test)]
#[path = "meaning_tests.rs"]
mod tests;
