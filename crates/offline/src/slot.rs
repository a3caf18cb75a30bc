//! Proposed times: their text, and which one the person means.

use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::date_time::LocalDate;
use super::word::fold;

/// A proposed time and the draft to commit it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfferedSlot {
    pub(super) draft: String,
    pub(super) start: String,
    pub(super) end: String,
    pub(super) busy: i64,
}

pub(super) fn read(output: &Value) -> Vec<OfferedSlot> {
    let slots = output.get("slots").and_then(Value::as_array);
    let slots = slots.into_iter().flatten().filter_map(|slot| {
        let text = |name: &str| slot.get(name).and_then(Value::as_str);
        Some(OfferedSlot {
            draft: text("event_draft_id")?.to_owned(),
            start: text("start").unwrap_or_default().to_owned(),
            end: text("end").unwrap_or_default().to_owned(),
            busy: slot.get("busy").and_then(Value::as_i64).unwrap_or(0),
        })
    });
    slots.collect()
}

impl OfferedSlot {
    /// `Tuesday 17 November 2026, 10:00 to 10:30`.
    pub(super) fn told(&self) -> String {
        let busy = match self.busy {
            ..=0 => String::new(),
            1 => " (one person is busy)".to_owned(),
            count => format!(" ({count} people are busy)"),
        };
        format!("{}{busy}", span(&self.start, &self.end))
    }

    /// The words by which this slot may be named: its day, its date, its hour.
    pub(super) fn names(&self, today: Option<&LocalDate>) -> Vec<String> {
        let Some(start) = local(&self.start) else { return Vec::new() };
        let form = if start.minute() == 0 {
            "%A %B %-d %-dth %Y %H %-H %M %-I %-I%P %P"
        } else {
            "%A %B %-d %-dth %Y %H %-H %M %-I %P"
        };
        let mut names = fold(&start.strftime(form).to_string());
        let away = today.map(|today| (start.date() - today.date).get_days());
        names.push_str(match away {
            Some(0) => "today",
            Some(1) => "tomorrow",
            _ => "",
        });
        if start.time() == Time::constant(12, 0, 0, 0) {
            names.push_str(" noon");
        }
        names.split_whitespace().map(str::to_owned).collect()
    }
}

/// A moment in the local time of the slots.
pub(super) fn told_like(slots: &[OfferedSlot], moment: Timestamp) -> Option<String> {
    let start = &slots.first()?.start;
    let wall = local(start)?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let offset = wall.duration_since(start.parse().ok()?);
    let moment = moment.checked_add(offset).ok()?.to_zoned(TimeZone::UTC);
    Some(moment.strftime("%A %-d %B %Y, %H:%M").to_string())
}

/// The start and the end, in the offset of the moments.
pub(super) fn span(start: &str, end: &str) -> String {
    match (local(start), local(end)) {
        (Some(start), Some(end)) => {
            format!("{} to {}", start.strftime("%A %-d %B %Y, %H:%M"), end.strftime("%H:%M"))
        }
        _ => format!("{start} to {end}"),
    }
}

/// The local date and time.
fn local(moment: &str) -> Option<DateTime> {
    moment.get(..19).or_else(|| moment.get(..16))?.parse().ok()
}
