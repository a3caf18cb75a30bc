//! The rules of a VTIMEZONE: its offsets and when they change.

use aileron_capability::calendar::Zone;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarProperty, ICalendarValue,
};
use jiff::Timestamp;
use jiff::civil::DateTime;

use super::super::recurrence;
use super::super::when::{self, DateKind, ICalTime};
use crate::window::TimeWindow;

/// The time range for which endless rules are evaluated.
const FOLLOWED: (i64, i64) = (0, 4_102_444_800);

/// A change of the offset.
struct Change {
    at: Timestamp,
    /// Seconds ahead of UTC.
    from: i32,
    to: i32,
}

/// The zone of this component's rules, if they are complete.
pub(super) fn zone(
    calendar: &ICalendar,
    component: &ICalendarComponent,
    name: &str,
) -> Option<Zone> {
    let mut changes = Vec::new();
    for part in &component.component_ids {
        let part = calendar.components.get(usize::try_from(*part).ok()?)?;
        if matches!(
            part.component_type,
            ICalendarComponentType::Standard | ICalendarComponentType::Daylight
        ) {
            changes.extend(changes_of(part)?);
        }
    }
    changes.sort_by_key(|change| change.at);
    changes.dedup_by_key(|change| change.at);
    let before = changes.first()?.from;
    let changes: Vec<_> = changes.iter().map(|change| (change.at, change.to)).collect();
    Zone::of_changes(name, before, &changes)
}

fn changes_of(part: &ICalendarComponent) -> Option<Vec<Change>> {
    let to = offset(part, &ICalendarProperty::Tzoffsetto)?;
    let from = offset(part, &ICalendarProperty::Tzoffsetfrom).unwrap_or(to);
    // The local time of a change is given in the offset before it.
    let clocks = Zone::of_changes("before", from, &[])?;
    let start = times(part, &ICalendarProperty::Dtstart, &clocks)?.into_iter().next()?;
    let mut shown = vec![start.local];
    for entry in part.properties(&ICalendarProperty::Rrule) {
        let ICalendarValue::RecurrenceRule(rule) = entry.values.first()? else { return None };
        let (starts, unreadable) = recurrence::starts(rule, &start, &followed()?);
        if unreadable.is_some() {
            return None;
        }
        shown.extend(starts.into_iter().map(|start| start.local));
    }
    let more = times(part, &ICalendarProperty::Rdate, &clocks)?;
    shown.extend(more.into_iter().map(|it| it.local));
    let change = |local: DateTime| Some(Change { at: clocks.moment(local).ok()?, from, to });
    shown.into_iter().map(change).collect()
}

fn times(
    part: &ICalendarComponent,
    property: &ICalendarProperty,
    clocks: &Zone,
) -> Option<Vec<ICalTime>> {
    let values = part.properties(property).flat_map(|entry| &entry.values);
    let read = |value: &ICalendarValue| match value {
        ICalendarValue::PartialDateTime(time) => {
            let read = when::read(time, clocks)?;
            let local = clocks.local(read.moment()?);
            Some(ICalTime { local, zone: clocks.clone(), kind: DateKind::Time })
        }
        _ => None,
    };
    values.map(read).collect()
}

/// Seconds ahead of UTC.
fn offset(part: &ICalendarComponent, property: &ICalendarProperty) -> Option<i32> {
    let ICalendarValue::PartialDateTime(time) = part.property(property)?.values.first()? else {
        return None;
    };
    let minutes = i32::from(time.tz_hour?) * 60 + i32::from(time.tz_minute.unwrap_or_default());
    Some(if time.tz_minus { -60 * minutes } else { 60 * minutes })
}

fn followed() -> Option<TimeWindow> {
    let (start, end) = FOLLOWED;
    Some(TimeWindow {
        start: Timestamp::from_second(start).ok()?,
        end: Timestamp::from_second(end).ok()?,
    })
}
