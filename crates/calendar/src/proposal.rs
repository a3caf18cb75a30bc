//! From a request to ranked times with a draft each. It reads calendars and stores drafts through
//! the given engine, and books nothing. `moment` parses times; `answer` builds the result.

mod answer;
mod moment;

use aileron_capability::calendar::{
    Availability, Calendar, EventDraft, FreeBusyRequest, Hours, Preferences, ProposalRequest,
    SaveDrafts, Zone, is_plain_address,
};
use aileron_capability::{Caller, CapabilityFault, ToolError};
use aileron_contract::ErrorType;
use futures_util::future::try_join_all;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use self::answer::{SlotSearchResult, distinct};
use self::moment::moment;
use crate::slots::{self, Plan};

const ZONE_HINT: &str = "name the zone as Europe/Berlin, or give utc_offset";
const TIME_HINT: &str =
    "write times like 2026-02-03T10:00:00+01:00, or 2026-02-03T10:00 in time_zone";
const HOURS_HINT: &str = "give working_hours as start and end of one day, such as 09:00 and 17:00";
const ADDRESS_HINT: &str = "give each address as name@example.com, without quotes or blanks";
const WIDEN_HINT: &str =
    "widen working_hours or within_days, or name preferred_times that lie ahead";

/// Times to choose from, best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proposal {
    pub title: String,
    pub duration_minutes: u32,
    pub time_zone: String,
    /// The draft of the first slot.
    pub event_draft_id: String,
    pub slots: Vec<ProposedSlot>,
    pub attendees: Vec<Attendee>,
    /// Present if the organizer's calendar is known and they are not an attendee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organizer: Option<Organizer>,
    /// Wishes that are not among the slots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored_times: Vec<IgnoredTime>,
    /// Warnings for the person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A requested time that was not used, as written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IgnoredTime {
    pub time: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposedSlot {
    pub rank: usize,
    pub event_draft_id: String,
    pub start: String,
    pub end: String,
    pub preferred: bool,
    pub free: usize,
    pub busy: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attendee {
    pub email: String,
    pub calendar_read: bool,
    /// A remark about that, such as the part that could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The ranks of the slots in which they are busy.
    pub busy_in: Vec<usize>,
}

/// The owner of the calendar in which the event is created.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Organizer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub calendar_read: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The ranks of the slots in which they are busy.
    pub busy_in: Vec<usize>,
}

/// Why nothing is proposed.
#[derive(Debug, Clone, PartialEq)]
pub enum ProposalError {
    /// The request contradicts itself or the calendar.
    Wrong {
        message: String,
        hint: &'static str,
    },
    /// No start has this many free minutes after it.
    NothingFits {
        minutes: u32,
    },
    Reading(CapabilityFault),
    Keeping(CapabilityFault),
}

impl From<ProposalError> for ToolError {
    fn from(error: ProposalError) -> Self {
        match error {
            ProposalError::Wrong { message, hint } => {
                Self::new(ErrorType::Permanent, message).retryable(false).suggest(hint)
            }
            ProposalError::NothingFits { minutes } => {
                let message =
                    format!("no start within the days and hours given leaves {minutes} minutes");
                Self::new(ErrorType::Conflict, message).retryable(false).suggest(WIDEN_HINT)
            }
            ProposalError::Reading(fault) => fault.while_reading("read the calendars"),
            ProposalError::Keeping(fault) => fault.while_reading("keep the drafts"),
        }
    }
}

/// Finds times, ranks them, and stores a draft of each.
pub async fn propose(
    calendar: &dyn Calendar,
    caller: &Caller,
    request: &ProposalRequest,
    now_ms: u64,
) -> Result<Proposal, ProposalError> {
    let plan = plan(request, &calendar.preferences(), now_ms)?;
    // Addresses are compared in lower case.
    let attendees = distinct(request.attendees.iter().map(|email| email.to_lowercase()));
    if let Some(odd) = attendees.iter().find(|email| !is_plain_address(email)) {
        return Err(wrong(format!("expected a plain email address, found {odd:?}"), ADDRESS_HINT));
    }
    let candidates = plan.candidates();
    if candidates.is_empty() {
        return Err(ProposalError::NothingFits { minutes: plan.minutes });
    }
    let asked = slots::windows(&candidates).into_iter().map(|window| asked(&attendees, window));
    let known = try_join_all(asked.map(|asked| calendar.free_busy(caller, asked))).await;
    let known = joined(known.map_err(ProposalError::Reading)?);
    let findings = SlotSearchResult::new(request, &plan, &attendees, &known, candidates);
    let drafts: Vec<EventDraft> = findings.drafts();
    let proposal = findings.proposal(&drafts);
    let drafts = drafts.into_iter().map(EventDraft::into_value).collect();
    let kept = calendar.save_drafts(caller, SaveDrafts { drafts }).await;
    kept.map_err(ProposalError::Keeping)?;
    Ok(proposal)
}

fn asked(attendees: &[String], (start, end): (Timestamp, Timestamp)) -> FreeBusyRequest {
    FreeBusyRequest {
        attendees: attendees.to_vec(),
        start: Zone::default().rfc3339(start),
        end: Zone::default().rfc3339(end),
        organizer: true,
    }
}

/// Merges the busy times of each person over all requested windows.
fn joined(answers: Vec<Vec<Availability>>) -> Vec<Availability> {
    let mut known: Vec<Availability> = Vec::new();
    for told in answers.into_iter().flatten() {
        let same = |it: &&mut Availability| {
            it.organizer == told.organizer && it.email.eq_ignore_ascii_case(&told.email)
        };
        match known.iter_mut().find(same) {
            Some(before) => {
                before.readable &= told.readable;
                before.remark = before.remark.take().or(told.remark);
                before.busy.extend(told.busy);
            }
            None => known.push(told),
        }
    }
    known
}

fn plan(
    request: &ProposalRequest,
    usual: &Preferences,
    now_ms: u64,
) -> Result<Plan, ProposalError> {
    let now = i64::try_from(now_ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let now = now.ok_or_else(|| wrong("the clock shows no usable time", TIME_HINT))?;
    let zone = zone(request, usual)?;
    let from = request.not_before.as_deref().map(|text| moment(text, &zone)).transpose()?;
    let from = from.map_or(now, |asked| asked.max(now));
    let ahead = SignedDuration::from_hours(24 * i64::from(request.within_days));
    let until = from.checked_add(ahead);
    let wishes = request.preferred_times.iter().map(|text| moment(text, &zone));
    let hours = request.working_hours.clone().map(Hours::try_from).transpose();
    Ok(Plan {
        now,
        from,
        until: until.map_err(|_| wrong("expected a time before the year 9999", TIME_HINT))?,
        wishes: wishes.collect::<Result<_, _>>()?,
        hours: hours.map_err(|error| wrong(error, HOURS_HINT))?.unwrap_or(usual.hours),
        days: usual.days.clone(),
        minutes: request.duration_minutes,
        most: request.max_slots,
        zone,
    })
}

fn zone(request: &ProposalRequest, usual: &Preferences) -> Result<Zone, ProposalError> {
    match request.time_zone.as_deref().or(request.utc_offset.as_deref()) {
        None => Ok(usual.zone.clone()),
        Some(name) => Zone::named(name).map_err(|error| wrong(error, ZONE_HINT)),
    }
}

fn wrong(message: impl ToString, hint: &'static str) -> ProposalError {
    ProposalError::Wrong { message: message.to_string(), hint }
}

#[cfg(test)]
#[path = "proposal_tests.rs"]
mod tests;
