//! A record as one line.

use aileron_contract::{AuditEntry, AuditRecord, ErrorType, Outcome, UserId};
use anstyle::{AnsiColor, Style};

use crate::moment;
use crate::output::tame;
use crate::table::{Align, Cell};

pub(super) const COLUMNS: [(&str, Align); 9] = [
    ("RECORD", Align::Right),
    ("TIME", Align::Left),
    ("CONVERSATION", Align::Left),
    ("TURN", Align::Right),
    ("TOOL", Align::Left),
    ("OUTCOME", Align::Left),
    ("ERROR", Align::Left),
    ("DURATION", Align::Right),
    ("USER", Align::Left),
];

/// The most characters of an id; `audit show` has all of it.
const MAX_ID: usize = 40;

pub(super) fn row(record: &AuditRecord) -> [Cell; 9] {
    let entry = &record.entry;
    let faint = Style::new().dimmed();
    [
        Cell::from(record.seq.to_string()),
        Cell::new(moment::written(entry.time), faint),
        id(entry.conversation.as_str()),
        Cell::from(entry.turn.to_string()),
        id(&entry.tool_id),
        Cell::new(tame(&entry.outcome.to_string()), colour(entry)),
        Cell::new(entry.error.map(ErrorType::as_str).unwrap_or("-"), colour(entry)),
        Cell::from(format!("{} ms", entry.duration)),
        id(entry.user.as_ref().map_or("-", UserId::as_str)),
    ]
}

fn id(text: &str) -> Cell {
    let text = tame(text);
    match text.char_indices().nth(MAX_ID) {
        Some(_) => Cell::from(text.chars().take(MAX_ID - 1).chain(['…']).collect::<String>()),
        None => Cell::from(text),
    }
}

fn colour(entry: &AuditEntry) -> Style {
    let colour = match (&entry.outcome, entry.error) {
        (Outcome::Completed | Outcome::Replayed, None) => AnsiColor::Green,
        (Outcome::Completed | Outcome::Replayed, Some(_)) => AnsiColor::Red,
        (Outcome::Refused(_) | Outcome::Denied | Outcome::Superseded | Outcome::Cancelled, _) => {
            AnsiColor::Yellow
        }
        (Outcome::TimedOut | Outcome::Panicked | Outcome::ProcessDied, _) => AnsiColor::Red,
    };
    colour.on_default()
}
