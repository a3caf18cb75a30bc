//! Reads busy times from our calendars and those of the requested people, concurrently.

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_capability::{CapabilityFault, FaultCode};
use aileron_http::service::fault_of;
use futures_util::future::join_all;
use url::Url;

use super::discovery::DiscoveredCalendars;
use super::places::{AddressAttempt, nowhere};
use super::web::{WHO, multistatus};
use super::{CalDavInner, request};
use crate::backend::{FreeBusy, Organizer, PersonBusy};
use crate::ical::{self, BusyOptions, BusyTime};
use crate::window::{TimeWindow, merged};

const HIDDEN: &str = "the calendar server does not show this calendar";

/// A calendar to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CalendarQuery {
    /// Empty for our calendars if our address is unknown.
    owner: String,
    url: Url,
    whose: CalendarOwner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CalendarOwner {
    /// The calendar in which events are created.
    Target,
    Ours,
    Theirs,
}

/// The busy times of one calendar.
struct BusyReport {
    asked: CalendarQuery,
    times: Vec<BusyTime>,
    /// Why the list may be incomplete.
    remark: Option<String>,
}

impl CalDavInner {
    pub(super) async fn busy(
        self: &Arc<Self>,
        people: &[String],
        window: TimeWindow,
    ) -> Result<FreeBusy, CapabilityFault> {
        let places = self.places().await?;
        if let AddressAttempt::Done(found) = self.busy_at(&places, people, window).await? {
            return Ok(found);
        }
        let places = self.places_again(&places).await?;
        match self.busy_at(&places, people, window).await? {
            AddressAttempt::Done(found) => Ok(found),
            AddressAttempt::Moved(status) => Err(nowhere(status)),
        }
    }

    async fn busy_at(
        &self,
        places: &DiscoveredCalendars,
        people: &[String],
        window: TimeWindow,
    ) -> Result<AddressAttempt<FreeBusy>, CapabilityFault> {
        let me = self.organizer.as_ref().or(places.address.as_ref()).cloned().unwrap_or_default();
        let asked = self.calendars_to_read(places, &me, people);
        let told = join_all(asked.into_iter().map(|asked| self.read_calendar(asked, window))).await;
        let mut known = Vec::new();
        for told in told {
            match told? {
                AddressAttempt::Done(told) => known.push(told),
                AddressAttempt::Moved(status) => return Ok(AddressAttempt::Moved(status)),
            }
        }
        let people = people.iter().map(|who| of_person(who, &known)).collect();
        let organizer = Organizer { time: of_person(&me, &known), address: me };
        Ok(AddressAttempt::Done(FreeBusy { people, organizer: Some(organizer) }))
    }

    /// Our calendars, which are the organizer's, and those of these people.
    fn calendars_to_read(
        &self,
        places: &DiscoveredCalendars,
        me: &str,
        people: &[String],
    ) -> BTreeSet<CalendarQuery> {
        let ours = places.calendars.iter().map(|url| {
            let whose =
                if *url == places.target { CalendarOwner::Target } else { CalendarOwner::Ours };
            CalendarQuery { owner: me.to_owned(), url: url.clone(), whose }
        });
        let theirs = self.people.iter().filter(|(who, _)| *who == me || people.contains(who));
        let theirs = theirs.map(|(who, url)| {
            let (owner, url) = (who.clone(), url.clone());
            CalendarQuery { owner, url, whose: CalendarOwner::Theirs }
        });
        let mut asked: BTreeSet<CalendarQuery> = ours.collect();
        for one in theirs {
            if !asked.iter().any(|it| it.owner == one.owner && it.url == one.url) {
                asked.insert(one);
            }
        }
        asked
    }

    /// The events of a calendar in the window, or its free-busy times if it hides events.
    async fn read_calendar(
        &self,
        asked: CalendarQuery,
        window: TimeWindow,
    ) -> Result<AddressAttempt<BusyReport>, CapabilityFault> {
        let reply = self.web.ask(request::events(&asked.url, &window)).await?;
        let texts = match (reply.status, asked.whose) {
            (207, _) => multistatus(&reply)?.calendar_data(),
            (status @ (404 | 409 | 410), CalendarOwner::Target | CalendarOwner::Ours) => {
                return Ok(AddressAttempt::Moved(status));
            }
            (403 | 404 | 405 | 410 | 501, whose) => {
                match (self.free_busy(&asked.url, &window).await?, whose) {
                    (Some(text), _) => vec![text],
                    (None, CalendarOwner::Target) => return Err(hidden(reply.status)),
                    (None, CalendarOwner::Ours | CalendarOwner::Theirs) => {
                        let remark = Some(HIDDEN.to_owned());
                        return Ok(AddressAttempt::Done(BusyReport {
                            asked,
                            times: Vec::new(),
                            remark,
                        }));
                    }
                }
            }
            (status, _) => return Err(fault_of(status, WHO)),
        };
        let reading = BusyOptions { owner: Some(&asked.owner), zone: &self.zone, window };
        let (mut times, mut remark) = (Vec::new(), None);
        for text in &texts {
            let told = ical::busy_times(text, &reading);
            times.extend(told.times);
            remark = remark.or(told.unreadable.map(|why| why.to_string()));
        }
        Ok(AddressAttempt::Done(BusyReport { asked, times, remark }))
    }

    async fn free_busy(
        &self,
        url: &Url,
        window: &TimeWindow,
    ) -> Result<Option<String>, CapabilityFault> {
        let reply = self.web.ask(request::free_busy(url, window)).await?;
        Ok((reply.status == 200).then(|| reply.text()))
    }
}

/// An event in our calendar may have any attendee, so a fault in our calendar is reported for every
/// person.
fn of_person(who: &str, told: &[BusyReport]) -> PersonBusy {
    let own: Vec<&BusyReport> = told.iter().filter(|it| it.asked.owner == who).collect();
    let ours = told.iter().filter(|it| it.asked.whose != CalendarOwner::Theirs);
    let remarks = own.iter().copied().chain(ours).find_map(|it| it.remark.clone());
    let all = told.iter().flat_map(|it| &it.times);
    let busy = all.filter(|it| it.who == who).map(|it| it.window).collect();
    PersonBusy {
        readable: !own.is_empty() && own.iter().all(|it| it.remark.is_none()),
        remark: remarks,
        busy: merged(busy),
    }
}

/// Without our calendar every time would look free.
fn hidden(status: u16) -> CapabilityFault {
    let message = format!("{WHO} does not show our own calendar: it answered with status {status}");
    let code = if status == 403 { FaultCode::Auth } else { FaultCode::Refused };
    CapabilityFault::new(code, message)
}
