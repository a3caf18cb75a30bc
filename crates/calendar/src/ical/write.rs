//! Writes an event in standard form, and finds the meeting link of one.

use calcard::common::PartialDateTime;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarParameter,
    ICalendarParticipationRole, ICalendarParticipationStatus, ICalendarProperty, ICalendarStatus,
    ICalendarTransparency, ICalendarValue, ICalendarValueType, Uri,
};
use calcard::{Entry, Parser};
use jiff::Timestamp;
use jiff::civil::DateTime;

use crate::backend::NewEvent;

const PRODUCT: &str = "-//Aileron//Calendar//EN";

/// The text of a calendar with this one event. The organizer is an address.
pub(crate) fn written(event: &NewEvent, organizer: Option<&str>) -> String {
    let mut root = ICalendarComponent::new(ICalendarComponentType::VCalendar);
    root.add_property(ICalendarProperty::Version, "2.0");
    root.add_property(ICalendarProperty::Prodid, PRODUCT);
    root.component_ids.push(1);
    let mut calendar = ICalendar { components: vec![root, component(event, organizer)] };
    calendar.add_missing_timezones();
    calendar.to_string()
}

fn component(event: &NewEvent, organizer: Option<&str>) -> ICalendarComponent {
    let mut component = ICalendarComponent::new(ICalendarComponentType::VEvent);
    component.add_uid(&event.uid);
    component.add_dtstamp(moment(event.stamp));
    time(&mut component, ICalendarProperty::Dtstart, event, event.window.start);
    time(&mut component, ICalendarProperty::Dtend, event, event.window.end);
    component.add_property(ICalendarProperty::Summary, plain(&event.title));
    component.add_property(ICalendarProperty::Status, ICalendarStatus::Confirmed);
    component.add_property(ICalendarProperty::Transp, ICalendarTransparency::Opaque);
    if let Some(text) = description(event) {
        component.add_property(ICalendarProperty::Description, text);
    }
    if let Some(url) = &event.join_url {
        component.add_property(ICalendarProperty::Location, url.clone());
        let kind = ICalendarParameter::value(ICalendarValueType::Uri);
        let link = Uri::Location(url.clone());
        component.add_property_with_params(ICalendarProperty::Conference, [kind], link);
    }
    if let Some(organizer) = organizer {
        component.add_property(ICalendarProperty::Organizer, address(organizer));
    }
    for attendee in &event.attendees {
        invite(&mut component, attendee, organizer);
    }
    component
}

/// Local time if the zone has a name, otherwise UTC.
fn time(
    component: &mut ICalendarComponent,
    property: ICalendarProperty,
    event: &NewEvent,
    at: Timestamp,
) {
    if !event.zone.is_named() {
        component.add_property(property, moment(at));
        return;
    }
    let zone = ICalendarParameter::tzid(event.zone.name());
    component.add_property_with_params(property, [zone], local(event.zone.local(at)));
}

fn invite(component: &mut ICalendarComponent, attendee: &str, organizer: Option<&str>) {
    let is_organizer = organizer.is_some_and(|organizer| organizer.eq_ignore_ascii_case(attendee));
    let answer = match is_organizer {
        true => ICalendarParticipationStatus::Accepted,
        false => ICalendarParticipationStatus::NeedsAction,
    };
    let parameters = [
        ICalendarParameter::role(ICalendarParticipationRole::ReqParticipant),
        ICalendarParameter::partstat(answer),
        ICalendarParameter::rsvp(!is_organizer),
    ];
    let who = address(attendee);
    component.add_property_with_params(ICalendarProperty::Attendee, parameters, who);
}

fn address(email: &str) -> Uri {
    Uri::Location(format!("mailto:{email}"))
}

fn description(event: &NewEvent) -> Option<String> {
    let link = event.join_url.as_ref().map(|url| format!("Join: {url}"));
    let parts = [Some(plain(&event.agenda)).filter(|agenda| !agenda.is_empty()), link];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    (!text.is_empty()).then_some(text)
}

/// Text without control characters and with `\n` line ends.
fn plain(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    lines.chars().filter(|letter| !letter.is_control() || "\n\t".contains(*letter)).collect()
}

fn moment(at: Timestamp) -> PartialDateTime {
    PartialDateTime::from_utc_timestamp(at.as_second())
}

fn local(time: DateTime) -> PartialDateTime {
    let small = |number: i8| u8::try_from(number).ok();
    PartialDateTime {
        year: u16::try_from(time.year()).ok(),
        month: small(time.month()),
        day: small(time.day()),
        hour: small(time.hour()),
        minute: small(time.minute()),
        second: small(time.second()),
        ..PartialDateTime::default()
    }
}

/// The meeting link of an event in this text; `None` if there is no such event.
pub(crate) fn join_url(text: &str, uid: &str) -> Option<Option<String>> {
    let mut parser = Parser::new(text);
    loop {
        match parser.entry() {
            Entry::ICalendar(calendar) => {
                let mut events = calendar.components.iter();
                let event = events.find(|it| it.component_type.is_event() && it.uid() == Some(uid));
                if let Some(event) = event {
                    return Some(link(event));
                }
            }
            Entry::Eof => return None,
            _ => {}
        }
    }
}

fn link(event: &ICalendarComponent) -> Option<String> {
    let value = event.property(&ICalendarProperty::Conference)?.values.first()?;
    match value {
        ICalendarValue::Uri(Uri::Location(url)) => Some(url.clone()),
        other => other.as_text().map(str::to_owned),
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
