//! The occurrences of a rule, on the clocks of its zone. The rule is run on local times and
//! only inside of the window that is asked for, so that one without an end costs no more than
//! the window has days.

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

/// The most occurrences of one series that are looked at.
const MOST: usize = 20_000;

const TOO_MANY: &str =
    "expected a recurring event of at most 20000 occurrences in the time asked for";

/// The local starts of a series inside the window, which has to be wider than one occurrence, and
/// why there may be more of them.
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

/// A start as many whole intervals later as lie before the window: it gives the same
/// occurrences from there on. Months and years are few enough to be counted.
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

/// UNTIL as the clocks of the series show it; a day means all of it. One that is no date is
/// passed over: what goes on too long takes no time from anybody.
fn local_until(until: &PartialDateTime, start: &ICalTime) -> Option<DateTime> {
    let read = when::read(until, &start.zone)?;
    if until.hour.is_none() {
        return Some(read.local.date().at(23, 59, 59, 0));
    }
    Some(start.zone.local(read.moment()?))
}

/// A calendar of one event with one rule, on a clock of no zone.
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

/// A clock of no zone counts as that of UTC.
fn local(seconds: i64) -> Option<DateTime> {
    Some(TimeZone::UTC.to_datetime(Timestamp::from_second(seconds).ok()?))
}
