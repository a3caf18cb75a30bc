//! From a request to ranked times with a draft each. It reads calendars and keeps drafts
//! through the engine it is given, and books nothing. Times are read by `moment`.

mod moment;

use aileron_contract::ErrorType;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use self::moment::moment;
use super::draft::Draft;
use super::slots::{self, Busy, Plan, Slot};
use super::{
    Availability, Calendar, FreeBusyRequest, Hours, Preferences, SaveDrafts, Span, WrittenHours,
    Zone, is_plain_address,
};
use crate::capability::{Caller, Fault};
use crate::outcome::ToolError;

/// How long a draft is kept, in hours.
const LIFETIME_HOURS: i64 = 24;

const ZONE_HINT: &str = "name the zone as Europe/Berlin, or give utc_offset";
const TIME_HINT: &str =
    "write times like 2026-02-03T10:00:00+01:00, or 2026-02-03T10:00 in time_zone";
const HOURS_HINT: &str = "give working_hours as start and end of one day, such as 09:00 and 17:00";
const ADDRESS_HINT: &str = "give each address as name@example.com, without quotes or blanks";
const PASSED: &str = "it has passed";
const NO_WISH: &str = "none of the preferred times could be used: all of them have passed";
const NOT_ALL: &str =
    "a calendar could not be understood in full, so a time may be taken that looks free";
const WIDEN_HINT: &str =
    "widen working_hours or within_days, or name preferred_times that lie ahead";

/// What kind of event, with whom, and when it would be welcome.
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

/// Times to choose from, best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proposal {
    pub title: String,
    pub duration_minutes: u32,
    pub time_zone: String,
    /// Of the first slot.
    pub event_draft_id: String,
    pub slots: Vec<ProposedSlot>,
    pub attendees: Vec<Attendee>,
    /// Wishes that could not be looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored_times: Vec<IgnoredTime>,
    /// What the person has to be told with the times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A wish that was passed over, as it was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IgnoredTime {
    pub time: String,
    pub reason: &'static str,
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
    /// What there is to know of that, such as what could not be understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The ranks of the slots they cannot make.
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
    /// No start leaves so many minutes.
    NothingFits {
        minutes: u32,
    },
    Reading(Fault),
    Keeping(Fault),
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

/// Finds times, ranks them, and keeps a draft of each.
pub async fn propose(
    calendar: &dyn Calendar,
    caller: &Caller,
    request: &ProposalRequest,
    now_ms: u64,
) -> Result<Proposal, ProposalError> {
    let plan = plan(request, &calendar.preferences(), now_ms)?;
    let attendees = distinct(&request.attendees);
    if let Some(odd) = attendees.iter().find(|email| !is_plain_address(email)) {
        return Err(wrong(format!("expected a plain email address, found {odd:?}"), ADDRESS_HINT));
    }
    let candidates = plan.candidates();
    let nothing = ProposalError::NothingFits { minutes: plan.minutes };
    let (start, end) = slots::span(&candidates).ok_or(nothing)?;
    let asked = FreeBusyRequest {
        attendees: attendees.clone(),
        start: Zone::default().rfc3339(start),
        end: Zone::default().rfc3339(end),
    };
    let known = calendar.free_busy(caller, asked).await.map_err(ProposalError::Reading)?;
    let busy: Vec<Busy> = attendees.iter().map(|email| busy_of(email, &known)).collect();
    let slots = slots::best(candidates, &busy, plan.most);
    let drafts: Vec<Draft> =
        slots.iter().map(|slot| draft(slot, &plan, request, &attendees)).collect();
    let proposal = proposal(request, &plan, &slots, &drafts, &attendees, &known);
    let drafts = drafts.into_iter().map(Draft::into_value).collect();
    let kept = calendar.save_drafts(caller, SaveDrafts { drafts }).await;
    kept.map_err(ProposalError::Keeping)?;
    Ok(proposal)
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

/// Addresses in small letters, each once, in the order given.
fn distinct(attendees: &[String]) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for email in attendees.iter().map(|email| email.to_lowercase()) {
        if !seen.contains(&email) {
            seen.push(email);
        }
    }
    seen
}

fn busy_of(email: &str, known: &[Availability]) -> Busy {
    let read = |span: &Span| Some((span.start.parse().ok()?, span.end.parse().ok()?));
    Busy::new(of(email, known).flat_map(|calendar| &calendar.busy).filter_map(read).collect())
}

fn draft(slot: &Slot, plan: &Plan, request: &ProposalRequest, attendees: &[String]) -> Draft {
    let expires = plan.now.checked_add(SignedDuration::from_hours(LIFETIME_HOURS));
    let draft = Draft {
        id: String::new(),
        title: request.title.clone(),
        agenda: request.agenda.clone(),
        start: plan.zone.rfc3339(slot.time.start),
        end: plan.zone.rfc3339(slot.time.end),
        time_zone: plan.zone.is_named().then(|| plan.zone.name()),
        attendees: attendees.to_vec(),
        busy: slot.busy.iter().filter_map(|place| attendees.get(*place)).cloned().collect(),
        video_link: request.video_link,
        expires: Zone::default().rfc3339(expires.unwrap_or(Timestamp::MAX)),
        search: Some(request.clone()),
        event_id: None,
    };
    draft.identified(plan.minutes)
}

fn proposal(
    request: &ProposalRequest,
    plan: &Plan,
    slots: &[Slot],
    drafts: &[Draft],
    attendees: &[String],
    known: &[Availability],
) -> Proposal {
    let shown = slots.iter().zip(drafts).enumerate().map(|(place, (slot, draft))| ProposedSlot {
        rank: place + 1,
        event_draft_id: draft.id.clone(),
        start: draft.start.clone(),
        end: draft.end.clone(),
        preferred: slot.time.preferred,
        free: attendees.len() - slot.busy.len(),
        busy: slot.busy.len(),
    });
    let people = attendees.iter().enumerate().map(|(place, email)| Attendee {
        email: email.clone(),
        calendar_read: of(email, known).any(|calendar| calendar.readable),
        remark: of(email, known).find_map(|calendar| calendar.remark.clone()),
        busy_in: (1..)
            .zip(slots)
            .filter(|(_, slot)| slot.busy.contains(&place))
            .map(|it| it.0)
            .collect(),
    });
    let ignored = ignored(request, plan);
    Proposal {
        title: request.title.clone(),
        duration_minutes: request.duration_minutes,
        time_zone: plan.zone.name(),
        event_draft_id: drafts.first().map(|draft| draft.id.clone()).unwrap_or_default(),
        slots: shown.collect(),
        attendees: people.collect(),
        warnings: warnings(request, &ignored, known),
        ignored_times: ignored,
    }
}

/// The wishes that lie in the past.
fn ignored(request: &ProposalRequest, plan: &Plan) -> Vec<IgnoredTime> {
    let wishes = request.preferred_times.iter().zip(&plan.wishes);
    let passed = wishes.filter(|(_, start)| **start < plan.now);
    passed.map(|(time, _)| IgnoredTime { time: time.clone(), reason: PASSED }).collect()
}

/// What would make busy times look free, or other times look wished for.
fn warnings(
    request: &ProposalRequest,
    ignored: &[IgnoredTime],
    known: &[Availability],
) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    if !ignored.is_empty() && ignored.len() == request.preferred_times.len() {
        warnings.push(NO_WISH.to_owned());
    }
    for remark in known.iter().filter_map(|calendar| calendar.remark.as_ref()) {
        let warning = format!("{NOT_ALL}: {remark}");
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

fn of<'a>(email: &'a str, known: &'a [Availability]) -> impl Iterator<Item = &'a Availability> {
    known.iter().filter(move |calendar| calendar.email.eq_ignore_ascii_case(email))
}

#[cfg(test)]
#[path = "proposal_tests.rs"]
mod tests;
