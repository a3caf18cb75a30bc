//! Times that were proposed: how they are told, and which one the person means.

use jiff::civil::DateTime;
use serde_json::Value;

use super::word::{fold, has};

/// A proposed time and the draft to commit it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) draft: String,
    pub(super) start: String,
    pub(super) end: String,
    pub(super) busy: i64,
}

pub(super) fn read(output: &Value) -> Vec<Slot> {
    let slots = output.get("slots").and_then(Value::as_array);
    let slots = slots.into_iter().flatten().filter_map(|slot| {
        let text = |name: &str| slot.get(name).and_then(Value::as_str);
        Some(Slot {
            draft: text("event_draft_id")?.to_owned(),
            start: text("start").unwrap_or_default().to_owned(),
            end: text("end").unwrap_or_default().to_owned(),
            busy: slot.get("busy").and_then(Value::as_i64).unwrap_or(0),
        })
    });
    slots.collect()
}

impl Slot {
    /// `Tuesday 17 November 2026, 10:00 to 10:30`.
    pub(super) fn told(&self) -> String {
        let busy = match self.busy {
            ..=0 => String::new(),
            1 => " (one person is busy)".to_owned(),
            count => format!(" ({count} people are busy)"),
        };
        format!("{}{busy}", span(&self.start, &self.end))
    }

    /// Whether folded words name the day or the hour of this slot.
    pub(super) fn is_named(&self, folded: &str) -> bool {
        let Some(start) = local(&self.start) else { return false };
        let weekday = fold(&start.strftime("%A").to_string());
        let hour = fold(&start.strftime("%H:%M").to_string());
        has(folded, weekday.trim()) || has(folded, hour.trim())
    }
}

/// From when to when, in the offset that the moments carry.
pub(super) fn span(start: &str, end: &str) -> String {
    match (local(start), local(end)) {
        (Some(start), Some(end)) => {
            format!("{} to {}", start.strftime("%A %-d %B %Y, %H:%M"), end.strftime("%H:%M"))
        }
        _ => format!("{start} to {end}"),
    }
}

/// The clock on the wall.
fn local(moment: &str) -> Option<DateTime> {
    moment.get(..19).or_else(|| moment.get(..16))?.parse().ok()
}
