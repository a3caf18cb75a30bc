//! The requests to a CalDAV server.

use jiff::Timestamp;
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue, IF_NONE_MATCH};
use url::Url;

use crate::window::TimeWindow;
use aileron_http::service::HttpCall;

const XML: &str = "application/xml; charset=utf-8";
const DEPTH: HeaderName = HeaderName::from_static("depth");

/// Requests the properties of a resource or of its members.
pub(super) fn properties(url: &Url, depth: &'static str) -> HttpCall {
    let body = r#"<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop>
<d:resourcetype/><d:displayname/><d:current-user-principal/>
<c:calendar-home-set/><c:calendar-user-address-set/><c:supported-calendar-component-set/>
</d:prop></d:propfind>"#;
    asked("PROPFIND", url, depth, body.to_owned())
}

/// Requests the events of a calendar that overlap the window.
pub(super) fn events(url: &Url, window: &TimeWindow) -> HttpCall {
    let filter = format!("<c:comp-filter name=\"VEVENT\">{}</c:comp-filter>", range(window));
    query(url, "<c:calendar-data/>", &filter)
}

/// Requests the event of an id and its ETag.
pub(super) fn by_uid(url: &Url, uid: &str) -> HttpCall {
    let filter = format!(
        "<c:comp-filter name=\"VEVENT\"><c:prop-filter name=\"UID\">\
         <c:text-match collation=\"i;octet\">{}</c:text-match></c:prop-filter></c:comp-filter>",
        quick_xml::escape::escape(uid)
    );
    query(url, "<d:getetag/><c:calendar-data/>", &filter)
}

fn query(url: &Url, wanted: &str, filter: &str) -> HttpCall {
    let body = format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
<d:prop>{wanted}</d:prop>
<c:filter><c:comp-filter name="VCALENDAR">{filter}</c:comp-filter></c:filter></c:calendar-query>"#
    );
    asked("REPORT", url, "1", body)
}

/// Requests the free-busy times of a calendar.
pub(super) fn free_busy(url: &Url, window: &TimeWindow) -> HttpCall {
    let body = format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<c:free-busy-query xmlns:c="urn:ietf:params:xml:ns:caldav">{}</c:free-busy-query>"#,
        range(window)
    );
    asked("REPORT", url, "1", body)
}

/// Creates an event; fails if it exists.
pub(super) fn put(url: &Url, event: String) -> HttpCall {
    HttpCall::new(Method::PUT, url.clone())
        .header(IF_NONE_MATCH, HeaderValue::from_static("*"))
        .body("text/calendar; charset=utf-8", event)
}

fn asked(method: &str, url: &Url, depth: &'static str, body: String) -> HttpCall {
    // The header names are valid constants.
    let method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
    HttpCall::new(method, url.clone())
        .header(DEPTH, HeaderValue::from_static(depth))
        .body(XML, body)
}

fn range(window: &TimeWindow) -> String {
    format!("<c:time-range start=\"{}\" end=\"{}\"/>", stamp(window.start), stamp(window.end))
}

/// A time in iCalendar's form.
fn stamp(moment: Timestamp) -> String {
    moment.strftime("%Y%m%dT%H%M%SZ").to_string()
}
