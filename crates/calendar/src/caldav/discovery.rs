//! Finds our calendars from one address (RFC 6764, RFC 5397): the server, `/.well-known/caldav`,
//! the principal, its home, the calendars in it. The URL of a calendar also works.

use aileron_capability::{CapabilityFault, FaultCode};
use url::Url;

use super::multistatus::{Multistatus, Resource};
use super::request;
use super::web::{DavClient, WHO, multistatus};
use aileron_http::service::{HttpReply, fault_of};

const WELL_KNOWN: &str = "/.well-known/caldav";

/// The URLs of our calendars.
#[derive(Debug, Clone)]
pub(super) struct DiscoveredCalendars {
    pub(super) calendars: Vec<Url>,
    /// The calendar in which events are created.
    pub(super) target: Url,
    /// Our address, in lower case, if the server knows one.
    pub(super) address: Option<String>,
}

pub(super) async fn find(
    web: &DavClient,
    base: &Url,
    wanted: Option<&str>,
) -> Result<DiscoveredCalendars, CapabilityFault> {
    let first = first(web, base).await?;
    let told = match &first.principal {
        Some(principal) => Some(ask_at(web, principal, "0").await?),
        None => None,
    };
    let address = told.as_ref().and_then(|(_, answer)| address_of(&first.here, answer));
    if first.here.is_calendar {
        let target = folder(first.url);
        return Ok(DiscoveredCalendars { calendars: vec![target.clone()], target, address });
    }
    let (url, answer) = told.ok_or_else(|| unfound("no principal"))?;
    let home = answer.resources.iter().find_map(|it| it.home.as_deref());
    let home = home.ok_or_else(|| unfound("no home"))?;
    let (url, answer) = ask_at(web, &join_same_origin(&url, home, "a home")?, "1").await?;
    let calendars = answer.resources.into_iter().filter(is_for_events);
    let calendars =
        calendars.map(|it| Ok((folder(join_same_origin(&url, &it.href, "a calendar")?), it)));
    let calendars: Vec<(Url, Resource)> = calendars.collect::<Result<_, CapabilityFault>>()?;
    let target =
        calendars.iter().find(|(url, it)| wanted.is_none_or(|name| is_named(url, it, name)));
    let (target, _) = target.ok_or_else(|| match wanted {
        Some(name) => unfound(&format!("no calendar {name:?}")),
        None => unfound("no calendar"),
    })?;
    Ok(DiscoveredCalendars {
        target: target.clone(),
        calendars: calendars.iter().map(|(url, _)| url.clone()).collect(),
        address,
    })
}

/// The kind of the given URL, and our principal.
struct DiscoveryStart {
    url: Url,
    here: Resource,
    principal: Option<Url>,
}

async fn first(web: &DavClient, base: &Url) -> Result<DiscoveryStart, CapabilityFault> {
    let mut last = None;
    for place in [base.clone(), base.join(WELL_KNOWN).unwrap_or_else(|_| base.clone())] {
        let reply = web.ask(request::properties(&place, "0")).await?;
        match reply.status {
            207 => {
                let found = read_first(&reply)?;
                if found.principal.is_some() || found.here.is_calendar {
                    return Ok(found);
                }
            }
            404 | 405 | 501 => last = Some(fault_of(reply.status, WHO)),
            status => return Err(fault_of(status, WHO)),
        }
    }
    Err(last.unwrap_or_else(|| unfound("no principal")))
}

fn read_first(reply: &HttpReply) -> Result<DiscoveryStart, CapabilityFault> {
    let here = multistatus(reply)?.resources.into_iter().next().unwrap_or_default();
    let principal = here.principal.as_deref().and_then(|it| reply.url.join(it).ok());
    let principal = principal.filter(|it| it.origin() == reply.url.origin());
    Ok(DiscoveryStart { url: reply.url.clone(), here, principal })
}

/// The answer and its final URL, to which other URLs are relative.
async fn ask_at(
    web: &DavClient,
    url: &Url,
    depth: &'static str,
) -> Result<(Url, Multistatus), CapabilityFault> {
    let reply = web.ask(request::properties(url, depth)).await?;
    match reply.status {
        207 => Ok((reply.url.clone(), multistatus(&reply)?)),
        status => Err(fault_of(status, WHO)),
    }
}

fn address_of(here: &Resource, principal: &Multistatus) -> Option<String> {
    let all = here.addresses.iter().chain(principal.resources.iter().flat_map(|it| &it.addresses));
    let mut mails = all.filter_map(|address| address.strip_prefix("mailto:"));
    mails.next().map(str::to_lowercase)
}

fn is_for_events(resource: &Resource) -> bool {
    let takes_events = |names: &Vec<String>| names.iter().any(|name| name == "VEVENT");
    resource.is_calendar && resource.components.as_ref().is_none_or(takes_events)
}

fn is_named(url: &Url, resource: &Resource, name: &str) -> bool {
    let last = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    resource.display_name.as_deref() == Some(name) || last == name || url.path() == name
}

/// Adds the final slash of a collection's URL, so that names can be joined to it.
pub(super) fn folder(mut url: Url) -> Url {
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url
}

/// A URL from the server's answer: must have the same host, scheme and port, so that no credentials
/// leave the server.
fn join_same_origin(asked: &Url, href: &str, what: &str) -> Result<Url, CapabilityFault> {
    let refused =
        |why: &str| CapabilityFault::new(FaultCode::Refused, format!("{WHO} names {what} {why}"));
    let url = asked.join(href).map_err(|_| refused("by an invalid address"))?;
    match url.origin() == asked.origin() {
        true => Ok(url),
        false => Err(refused("on another server; if that is intended, configure its address")),
    }
}

fn unfound(what: &str) -> CapabilityFault {
    CapabilityFault::new(
        FaultCode::Refused,
        format!("{WHO} shows {what}: name the calendar's own address"),
    )
}
