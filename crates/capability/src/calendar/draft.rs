//! The draft of a proposed slot. Its id is readable for the person who approves it, and ends in a
//! hash of the whole content, so that the same plan has the same id and another plan another.

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
    /// Used if no zone is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utc_offset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_hours: Option<WrittenHours>,
    pub max_slots: usize,
    pub video_link: bool,
}

/// A proposed event. Times are RFC 3339.
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
    /// Whether the organizer was busy too; the organizer is not in `busy`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub organizer_busy: bool,
    #[serde(default)]
    pub video_link: bool,
    pub expires: String,
    /// The request that found it, to search again if the time is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<ProposalRequest>,
    /// The event that was created from it, or whose creation was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
}

impl EventDraft {
    /// The same draft, with the id of its content.
    pub fn identified(mut self, minutes: u32) -> Self {
        let hash = ContentHash::of_value(&self.essence());
        let hash = hash.as_str().get(..8).unwrap_or_default().to_owned();
        let when = without_seconds(&self.start).unwrap_or_else(|| self.start.clone());
        let people = self.attendees.len();
        self.id = format!("draft-{when}-{minutes}min-{people}p-{}-{hash}", slug(&self.title));
        self
    }

    /// The content of the event. Leaves out the expiry and the search, which may change.
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

    /// The form in which engines store it.
    pub fn into_value(self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// `2026-02-05T10:00:00+01:00` without its seconds.
fn without_seconds(time: &str) -> Option<String> {
    Some(format!("{}{}", time.get(..16)?, time.get(19..)?))
}

/// The words of a title in lower case.
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
