//! The draft behind a slot. Its id can be read by the person who approves it, and ends in a
//! hash of the whole content, so that the same plan gives the same id and another plan another.

use aileron_contract::ContentHash;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::WrittenHours;

/// A requested event: its kind, its attendees and its preferred times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposalRequest {
    pub attendees: Vec<String>,
    pub duration_minutes: u32,
    pub title: String,
    #[serde(default)]
    pub agenda: String,
    /// RFC 3339, or local times of the zone; best first.
    #[serde(default)]
    pub preferred_times: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<String>,
    pub within_days: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Holds where no zone is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utc_offset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_hours: Option<WrittenHours>,
    pub max_slots: usize,
    pub video_link: bool,
}

/// An event that could be made. Times are RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventDraft {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub agenda: String,
    pub start: String,
    pub end: String,
    /// The zone in which the event is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    pub attendees: Vec<String>,
    /// Attendees that were known to be busy when it was proposed.
    #[serde(default)]
    pub busy: Vec<String>,
    /// The organizer was too, and is not among them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub organizer_busy: bool,
    #[serde(default)]
    pub video_link: bool,
    pub expires: String,
    /// What it was found with, to look again if the time is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<ProposalRequest>,
    /// The event that was made of it, or at least begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
}

impl EventDraft {
    /// The same draft under the id that its content gives.
    pub fn identified(mut self, minutes: u32) -> Self {
        let hash = ContentHash::of_value(&self.essence());
        let hash = hash.as_str().get(..8).unwrap_or_default().to_owned();
        let when = without_seconds(&self.start).unwrap_or_else(|| self.start.clone());
        let people = self.attendees.len();
        self.id = format!("draft-{when}-{minutes}min-{people}p-{}-{hash}", slug(&self.title));
        self
    }

    /// What would be made of it. When it expires and how it was found may change.
    pub fn essence(&self) -> Value {
        let mut essence = vec![
            json!(self.title),
            json!(self.agenda),
            json!(self.start),
            json!(self.end),
            json!(self.time_zone),
            json!(self.attendees),
            json!(self.busy),
            json!(self.video_link),
        ];
        if self.organizer_busy {
            essence.push(true.into());
        }
        essence.into()
    }

    /// As engines keep it.
    pub fn into_value(self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// `2026-02-05T10:00:00+01:00` without its seconds.
fn without_seconds(time: &str) -> Option<String> {
    Some(format!("{}{}", time.get(..16)?, time.get(19..)?))
}

/// The words of a title, in small letters.
fn slug(title: &str) -> String {
    let mut words = String::new();
    for letter in title.chars().flat_map(char::to_lowercase) {
        match letter.is_alphanumeric() {
            true => words.push(letter),
            false if !words.ends_with('-') && !words.is_empty() => words.push('-'),
            false => {}
        }
    }
    let short: String = words.chars().take(40).collect();
    match short.trim_matches('-') {
        "" => "event".to_owned(),
        short => short.to_owned(),
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
