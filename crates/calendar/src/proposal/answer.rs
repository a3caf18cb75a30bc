//! The answer about the found times: slots with drafts, busy attendees, and the reasons for unused
//! wishes.

use aileron_capability::calendar::{Availability, EventDraft, ProposalRequest, Span, Zone};
use jiff::{SignedDuration, Timestamp};

use super::{Attendee, IgnoredTime, Organizer, Proposal, ProposedSlot};
use crate::slots::{self, Busy, PASSED, Plan, RankedSlot, StartCandidate};

/// How long a draft is kept, in hours.
const LIFETIME_HOURS: i64 = 24;

const NO_WISH: &str = "none of the preferred times could be used";
const ALL_PASSED: &str = "all of them have passed";
const ORGANIZER_BUSY: &str = "the organizer is busy then";
const OVERLAPS: &str = "it overlaps another of the proposed times";
const LATER_WISH: &str = "earlier wishes came first";
const NOT_ALL: &str =
    "a calendar could not be understood in full, so a time may be taken that looks free";
const WHOSE: &str = "it is not known whose calendar this is, so somebody whose calendar was not \
    read may be its owner: set `organizer` in [calendar]";

/// The result of a search.
pub(super) struct SlotSearchResult<'a> {
    request: &'a ProposalRequest,
    plan: &'a Plan,
    attendees: &'a [String],
    known: &'a [Availability],
    /// All candidates, best first. The organizer's index is after the attendees'.
    ranked: Vec<RankedSlot>,
    /// The best of them.
    slots: Vec<RankedSlot>,
}

impl<'a> SlotSearchResult<'a> {
    pub(super) fn new(
        request: &'a ProposalRequest,
        plan: &'a Plan,
        attendees: &'a [String],
        known: &'a [Availability],
        candidates: Vec<StartCandidate>,
    ) -> Self {
        let people = attendees.iter().map(|email| busy(of(email, known)));
        let calendars: Vec<Busy> = people.chain([busy(organizer(known))]).collect();
        let ranked = slots::ranked(candidates, &calendars);
        let slots = slots::best(&ranked, plan.most);
        Self { request, plan, attendees, known, ranked, slots }
    }

    /// A draft for each slot.
    pub(super) fn drafts(&self) -> Vec<EventDraft> {
        self.slots.iter().map(|slot| self.draft(slot)).collect()
    }

    fn draft(&self, slot: &RankedSlot) -> EventDraft {
        let Self { request, plan, attendees, .. } = self;
        let expires = plan.now.checked_add(SignedDuration::from_hours(LIFETIME_HOURS));
        let draft = EventDraft {
            id: String::new(),
            title: request.title.clone(),
            agenda: request.agenda.clone(),
            start: plan.zone.rfc3339(slot.time.start),
            end: plan.zone.rfc3339(slot.time.end),
            time_zone: plan.zone.is_named().then(|| plan.zone.name()),
            attendees: attendees.to_vec(),
            busy: slot.busy.iter().filter_map(|place| attendees.get(*place)).cloned().collect(),
            organizer_busy: slot.busy.contains(&attendees.len()),
            video_link: request.video_link,
            expires: Zone::default().rfc3339(expires.unwrap_or(Timestamp::MAX)),
            search: Some((*request).clone()),
            event_id: None,
        };
        draft.identified(plan.minutes)
    }

    pub(super) fn proposal(&self, drafts: &[EventDraft]) -> Proposal {
        let shown = self.slots.iter().zip(drafts).enumerate();
        let attendees = self.attendees.iter().enumerate();
        let ignored = self.ignored();
        Proposal {
            title: self.request.title.clone(),
            duration_minutes: self.request.duration_minutes,
            time_zone: self.plan.zone.name(),
            event_draft_id: drafts.first().map(|draft| draft.id.clone()).unwrap_or_default(),
            slots: shown.map(|(place, (slot, draft))| self.shown(place + 1, slot, draft)).collect(),
            attendees: attendees.map(|(place, email)| self.attendee(place, email)).collect(),
            organizer: self.organizer(),
            warnings: self.warnings(&ignored),
            ignored_times: ignored,
        }
    }

    fn shown(&self, rank: usize, slot: &RankedSlot, draft: &EventDraft) -> ProposedSlot {
        let busy = self.busy_attendees(slot);
        ProposedSlot {
            rank,
            event_draft_id: draft.id.clone(),
            start: draft.start.clone(),
            end: draft.end.clone(),
            preferred: slot.time.preferred,
            free: self.attendees.len() - busy,
            busy,
        }
    }

    fn busy_attendees(&self, slot: &RankedSlot) -> usize {
        slot.busy.iter().filter(|place| **place < self.attendees.len()).count()
    }

    fn attendee(&self, place: usize, email: &str) -> Attendee {
        Attendee {
            email: email.to_owned(),
            calendar_read: of(email, self.known).any(|calendar| calendar.readable),
            remark: of(email, self.known).find_map(|calendar| calendar.remark.clone()),
            busy_in: self.busy_in(place),
        }
    }

    fn organizer(&self) -> Option<Organizer> {
        let known = organizer(self.known).next()?;
        Some(Organizer {
            email: Some(known.email.clone()).filter(|email| !email.is_empty()),
            calendar_read: known.readable,
            remark: known.remark.clone(),
            busy_in: self.busy_in(self.attendees.len()),
        })
    }

    /// The ranks of the slots in which the person at this index is busy.
    fn busy_in(&self, place: usize) -> Vec<usize> {
        let busy = (1..).zip(&self.slots).filter(|(_, slot)| slot.busy.contains(&place));
        busy.map(|(rank, _)| rank).collect()
    }

    /// The wishes that are not among the slots.
    fn ignored(&self) -> Vec<IgnoredTime> {
        let wishes = self.request.preferred_times.iter().zip(&self.plan.wishes);
        let left = wishes.filter_map(|(time, start)| {
            Some(IgnoredTime { time: time.clone(), reason: self.left_out(*start)? })
        });
        left.collect()
    }

    /// Why a wish is not among the slots, if it is not.
    fn left_out(&self, start: Timestamp) -> Option<String> {
        if let Some(why) = self.plan.unusable(start) {
            return Some(why.to_owned());
        }
        if self.slots.iter().any(|slot| slot.time.start == start) {
            return None;
        }
        let wish = self.ranked.iter().find(|slot| slot.time.start == start)?;
        if !wish.busy.is_empty() {
            return Some(self.who_is_busy(wish));
        }
        let overlaps = self.slots.iter().any(|slot| slots::overlap(&slot.time, &wish.time));
        Some(if overlaps { OVERLAPS } else { LATER_WISH }.to_owned())
    }

    fn who_is_busy(&self, slot: &RankedSlot) -> String {
        let (busy, all) = (self.busy_attendees(slot), self.attendees.len());
        let verb = if busy == 1 { "is" } else { "are" };
        match slot.busy.contains(&all) {
            true if busy == 0 => ORGANIZER_BUSY.to_owned(),
            true => format!("{busy} of {all} attendees and the organizer are busy then"),
            false => format!("{busy} of {all} attendees {verb} busy then"),
        }
    }

    /// Warnings about busy times that may look free, and about unused wishes.
    fn warnings(&self, ignored: &[IgnoredTime]) -> Vec<String> {
        let remarks = self.known.iter().filter_map(|calendar| calendar.remark.as_ref());
        let remarks = remarks.map(|remark| format!("{NOT_ALL}: {remark}"));
        distinct(self.no_wish(ignored).into_iter().chain(remarks).chain(self.whose()))
    }

    fn no_wish(&self, ignored: &[IgnoredTime]) -> Option<String> {
        if ignored.is_empty() || ignored.len() < self.request.preferred_times.len() {
            return None;
        }
        let reasons = distinct(ignored.iter().map(|it| it.reason.as_str()));
        Some(match reasons.as_slice() {
            [PASSED] => format!("{NO_WISH}: {ALL_PASSED}"),
            reasons => format!("{NO_WISH}: {}", reasons.join("; ")),
        })
    }

    fn whose(&self) -> Option<String> {
        let unknown = organizer(self.known).any(|it| it.email.is_empty());
        let unread = self.known.iter().any(|it| !it.organizer && !it.readable);
        (unknown && unread).then(|| WHOSE.to_owned())
    }
}

/// Removes repetitions and keeps the order.
pub(super) fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen: Vec<T> = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}

fn busy<'a>(calendars: impl Iterator<Item = &'a Availability>) -> Busy {
    let read = |span: &Span| Some((span.start.parse().ok()?, span.end.parse().ok()?));
    Busy::new(calendars.flat_map(|calendar| &calendar.busy).filter_map(read).collect())
}

fn of<'a>(email: &'a str, known: &'a [Availability]) -> impl Iterator<Item = &'a Availability> {
    let asked = known.iter().filter(|calendar| !calendar.organizer);
    asked.filter(move |calendar| calendar.email.eq_ignore_ascii_case(email))
}

fn organizer(known: &[Availability]) -> impl Iterator<Item = &Availability> {
    known.iter().filter(|calendar| calendar.organizer)
}
