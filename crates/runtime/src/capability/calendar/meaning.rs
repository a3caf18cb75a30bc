//! What the arguments of a call stand for, in words for the person who approves it: an argument
//! that is the id of a draft stands for that draft. A draft never changes under its id, so what is
//! shown is what would be made.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{Calendar, Draft, DraftRequest, Zone};
use crate::capability::Caller;

/// Of each argument that is the id of a draft of this conversation, the draft in words. One that
/// cannot be read stands for itself.
pub async fn meanings(
    calendar: &dyn Calendar,
    caller: &Caller,
    args: &Value,
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, value) in args.as_object().into_iter().flatten() {
        let Some(id) = value.as_str() else { continue };
        let kept = calendar.draft(caller, DraftRequest { id: id.to_owned() }).await;
        let draft = kept.ok().flatten().and_then(|kept| Draft::deserialize(kept).ok());
        if let Some(draft) = draft {
            found.insert(name.clone(), draft.in_words());
        }
    }
    found
}

impl Draft {
    /// Title, time, every address, the link and the text of the event.
    pub fn in_words(&self) -> String {
        let mut words = format!("\"{}\", {}, with ", self.title.replace('"', "'"), self.time());
        words.push_str(&match self.attendees.as_slice() {
            [] => "nobody".to_owned(),
            people => people.join(", "),
        });
        if !self.busy.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(words, "; busy then: {}", self.busy.join(", "));
        }
        words.push_str(if self.video_link { "; with a video link" } else { "; no video link" });
        if !self.agenda.is_empty() {
            let _ = write!(words, "; text: {}", self.agenda);
        }
        words
    }

    /// `Thu 5 Feb 2026, 10:00 to 11:00 (Europe/Berlin, +01:00)`, as the clocks of its zone show it.
    fn time(&self) -> String {
        let as_written = || format!("{} to {}", self.start, self.end);
        let moments = self.start.parse::<Timestamp>().ok().zip(self.end.parse::<Timestamp>().ok());
        let Some((start, end)) = moments else { return as_written() };
        let offset = self.start.get(19..).filter(|it| !it.is_empty()).unwrap_or("Z");
        let named = self.time_zone.as_deref().and_then(|name| Zone::named(name).ok());
        let Some(zone) = named.clone().or_else(|| Zone::named(offset).ok()) else {
            return as_written();
        };
        let (from, to) = (zone.local(start), zone.local(end));
        let until = if from.date() == to.date() { "%H:%M" } else { "%a %-d %b %Y, %H:%M" };
        let offset = if offset == "Z" { "UTC" } else { offset };
        let place = match named {
            Some(zone) => format!("{}, {offset}", zone.name()),
            None => offset.to_owned(),
        };
        format!("{} to {} ({place})", from.strftime("%a %-d %b %Y, %H:%M"), to.strftime(until))
    }
}

#[cfg(test)]
#[path = "meaning_tests.rs"]
mod tests;
