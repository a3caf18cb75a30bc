//! The occurrences of a rule, on the clocks of its zone. The rule is evaluated in local time and
//! only inside the requested window, so that an endless rule costs no more than the days of the
//! window.

use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarFrequency, ICalendarProperty,
    ICalendarRecurrenceRule, ICalendarValue,
};
use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::ICalError;
use super::when::{self, ICalTime};
use crate::window::TimeWindow;

/// Maximum occurrences of one series.
const MOST: usize = 20_000;

const TOO_MANY: &str =
    "expected a recurring event of at most 20000 occurrences in the time asked for";

/// The local starts of a series inside the window, which has to be wider than one occurrence, and
/// the reason if the list is incomplete.
pub(super) fn starts(
    rule: &ICalendarRecurrenceRule,
    start: &ICalTime,
    window: &TimeWindow,
) -> (Vec<ICalTime>, Option<ICalError>) {
    let (first, last) = (start.zone.local(window.start), start.zone.local(window.end));
    let until = rule.until.as_ref().and_then(|until| local_until(until, start));
    let until = until.map_or(last, |until| until.min(last));
    let begin =
        if rule.count.is_none() { skipped_ahead(rule, start.local, first) } else { start.local };
    if until < begin {
        return (Vec::new(), None);
    }
    let mut bounded = rule.clone();
    bounded.until = rule.count.is_none().then(|| partial(until));
    let expanded = single(begin, bounded).expand_dates(Tz::Floating, MOST + 1);
    if let Some(error) = expanded.errors.first() {
        let what = format!("a recurrence rule cannot be followed: {error:?}");
        return (Vec::new(), Some(ICalError(what)));
    }
    let found: Vec<DateTime> =
        expanded.events.iter().filter_map(|event| local(event.start.timestamp())).collect();
    let cut_off = found.len() > MOST && found.last().is_some_and(|reached| *reached < until);
    let inside = found.into_iter().filter(|local| *local >= first && *local <= until);
    let inside = inside.map(|local| start.at(local)).collect();
    (inside, cut_off.then(|| ICalError(TOO_MANY.to_owned())))
}

/// A later start, moved by whole intervals up to the window, which gives the same occurrences from
/// there on. Monthly and yearly rules are not skipped, because they have few occurrences.
fn skipped_ahead(rule: &ICalendarRecurrenceRule, start: DateTime, first: DateTime) -> DateTime {
    let unit = match rule.freq {
        ICalendarFrequency::Secondly => 1,
        ICalendarFrequency::Minutely => 60,
        ICalendarFrequency::Hourly => 3600,
        ICalendarFrequency::Daily => 86_400,
        ICalendarFrequency::Weekly => 7 * 86_400,
        ICalendarFrequency::Monthly | ICalendarFrequency::Yearly => return start,
    };
    let step = unit * i64::from(rule.interval.unwrap_or(1).max(1));
    let intervals = first.duration_since(start).as_secs() / step - 1;
    let ahead = SignedDuration::from_secs(intervals.max(0) * step);
    start.checked_add(ahead).unwrap_or(start)
}

/// UNTIL in the local time of the series; a date includes the whole day. An invalid one is ignored:
/// the series then continues too long, which only makes the person busier.
fn local_until(until: &PartialDateTime, start: &ICalTime) -> Option<DateTime> {
    let read = when::read(until, &start.zone)?;
    if until.hour.is_none() {
        return Some(read.local.date().at(23, 59, 59, 0));
    }
    Some(start.zone.local(read.moment()?))
}

/// A calendar of one event with one rule, without a zone.
fn single(start: DateTime, rule: ICalendarRecurrenceRule) -> ICalendar {
    let mut event = ICalendarComponent::new(ICalendarComponentType::VEvent);
    let start = ICalendarValue::PartialDateTime(Box::new(partial(start)));
    event.add_property(ICalendarProperty::Dtstart, start);
    event.add_property(ICalendarProperty::Rrule, ICalendarValue::RecurrenceRule(Box::new(rule)));
    ICalendar { components: vec![event] }
}

fn partial(local: DateTime) -> PartialDateTime {
    let small = |number: i8| u8::try_from(number).ok();
    PartialDateTime {
        year: u16::try_from(local.year()).ok(),
        month: small(local.month()),
        day: small(local.day()),
        hour: small(local.hour()),
        minute: small(local.minute()),
        second: small(local.second()),
        ..PartialDateTime::default()
    }
}

/// A local time without a zone counts as UTC.
fn local(seconds: i64) -> Option<DateTime> {
    Some(TimeZone::UTC.to_datetime(Timestamp::from_second(seconds).ok()?))
}
