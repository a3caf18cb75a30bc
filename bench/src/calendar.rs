//! Proposals over large calendars in files: the first one, without an index; those without a
//! change; and those right after a change. Each uses a separate engine, like every `aileron call`.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use aileron_calendar::propose;
use aileron_calendar::{CalendarEngine, Drafts, Folder, LinkSource};
use aileron_capability::calendar::{Preferences, ProposalRequest, Zone};
use aileron_capability::{Caller, SystemClock};
use aileron_contract::{CallId, ConversationId, Mode, ToolId};
use serde_json::json;

use crate::print;

const RUNS: usize = 20;

const BEGIN: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:bench\r\n";
const END: &str = "END:VCALENDAR\r\n";

/// How the events are stored.
#[derive(Debug, Clone, Copy)]
enum Layout {
    OneFile,
    FileEach,
}

/// Measures both layouts and prints a table.
pub(crate) fn run(count: &str) -> Result<(), String> {
    let count: usize = count.parse().map_err(|_| format!("expected a number, found {count:?}"))?;
    print(
        "| events | layout | first ms | next ms (median, worst) | after a change ms (median, worst) |",
    );
    print("|---|---|---|---|---|");
    for (layout, name) in [(Layout::OneFile, "one file"), (Layout::FileEach, "a file each")] {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        write(folder.path(), count, layout).map_err(|error| error.to_string())?;
        let first = proposal(folder.path())?;
        // A file that is younger than two seconds is read once more.
        proposal(folder.path())?;
        let next = sorted(|_| proposal(folder.path()))?;
        let changed = sorted(|number| {
            change(folder.path(), count + number, layout).map_err(|error| error.to_string())?;
            proposal(folder.path())
        })?;
        let both = |times: &[f64]| format!("{:.0}, {:.0}", times[RUNS / 2], times[RUNS - 1]);
        let (next, changed) = (both(&next), both(&changed));
        print(&format!("| {count} | {name} | {first:.0} | {next} | {changed} |"));
    }
    Ok(())
}

/// The times of all runs, the shortest first.
fn sorted(run: impl FnMut(usize) -> Result<f64, String>) -> Result<Vec<f64>, String> {
    let mut times = (0..RUNS).map(run).collect::<Result<Vec<_>, _>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Adds an event, as another program would.
fn change(folder: &Path, number: usize, layout: Layout) -> std::io::Result<()> {
    let event = event(number, now_ms() / 1000 / 86_400 + 1, 20);
    match layout {
        Layout::FileEach => alone(folder, number, &event),
        Layout::OneFile => {
            let path = folder.join("mira@example.com.ics");
            let whole = fs::read_to_string(&path)?;
            fs::write(path, whole.replace(END, &format!("{event}{END}")))
        }
    }
}

fn alone(folder: &Path, number: usize, event: &str) -> std::io::Result<()> {
    let own = folder.join("mira@example.com");
    fs::create_dir_all(&own)?;
    fs::write(own.join(format!("{number}.ics")), format!("{BEGIN}{event}{END}"))
}

/// The duration of one proposal, in milliseconds.
fn proposal(folder: &Path) -> Result<f64, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let (caller, request, now) = (caller()?, request()?, now_ms());
    let began = Instant::now();
    let backend = Arc::new(Folder::at(folder, Zone::default(), None));
    let drafts = Drafts::at(&folder.join("drafts.db"));
    let engine = CalendarEngine::new(
        backend,
        drafts,
        LinkSource::None,
        Preferences::default(),
        Arc::new(SystemClock),
    );
    let found = runtime.block_on(propose(&engine, &caller, &request, now));
    let found = found.map_err(|error| format!("{error:?}"))?;
    match found.attendees.first() {
        Some(mira) if mira.calendar_read => Ok(began.elapsed().as_secs_f64() * 1000.0),
        _ => Err("the calendar was not read".to_owned()),
    }
}

fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_millis()).unwrap_or_default()
}

/// Events of half an hour over a year, a twentieth of them weekly series.
fn write(folder: &Path, count: usize, layout: Layout) -> std::io::Result<()> {
    let begin = now_ms() / 1000 / 86_400;
    let mut whole = String::from(BEGIN);
    for number in 0..count {
        let event = event(number, begin + (number % 365) as u64, number / 365 % 48);
        match layout {
            Layout::OneFile => whole.push_str(&event),
            Layout::FileEach => alone(folder, number, &event)?,
        }
    }
    if matches!(layout, Layout::OneFile) {
        whole.push_str(END);
        fs::write(folder.join("mira@example.com.ics"), whole)?;
    }
    Ok(())
}

fn event(number: usize, day: u64, half_hour: usize) -> String {
    let seconds = i64::try_from(day * 86_400).unwrap_or_default() + half_hour as i64 * 1_800;
    let start = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    let stamp = start.strftime("%Y%m%dT%H%M%SZ");
    let mut text = format!(
        "BEGIN:VEVENT\r\nUID:bench-{number}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:{stamp}\r\nDURATION:PT30M\r\nSUMMARY:Event {number}\r\n"
    );
    if number.is_multiple_of(20) {
        text.push_str("RRULE:FREQ=WEEKLY\r\n");
    }
    let _ = write!(text, "DESCRIPTION:{}\r\nEND:VEVENT\r\n", "words ".repeat(10));
    text
}

fn caller() -> Result<Caller, String> {
    Ok(Caller {
        conversation: ConversationId::new("bench").map_err(|error| error.to_string())?,
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("calendar_propose_event").map_err(|error| error.to_string())?,
        call_id: CallId::new("bench").map_err(|error| error.to_string())?,
        idempotency_key: "bench".into(),
    })
}

fn request() -> Result<ProposalRequest, String> {
    let request = json!({
        "attendees": ["mira@example.com", "guest@example.org"],
        "duration_minutes": 30,
        "title": "Review",
        "within_days": 30,
        "max_slots": 5,
        "video_link": false,
    });
    serde_json::from_value(request).map_err(|error| error.to_string())
}
