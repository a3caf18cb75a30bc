//! Reads a multistatus: the resources and their properties. Namespaces are respected, custom
//! entities are refused, the depth is limited.

use quick_xml::events::Event;
use quick_xml::name::{Namespace, ResolveResult};
use quick_xml::reader::NsReader;

const DAV: &str = "DAV:";
const CALDAV: &str = "urn:ietf:params:xml:ns:caldav";

const DEEPEST: usize = 32;

/// The resources in an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Multistatus {
    pub(super) resources: Vec<Resource>,
}

/// One resource with the requested properties that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) href: String,
    pub(super) display_name: Option<String>,
    pub(super) principal: Option<String>,
    pub(super) home: Option<String>,
    /// Addresses of the person, as the server writes them.
    pub(super) addresses: Vec<String>,
    pub(super) is_calendar: bool,
    /// Absent: the server does not list them, so all are assumed.
    pub(super) components: Option<Vec<String>>,
    pub(super) calendar_data: Option<String>,
    pub(super) etag: Option<String>,
}

/// The names of the elements around a text.
type Path = Vec<&'static str>;

/// The elements that are read.
const KNOWN: &[(&str, &str)] = &[
    (DAV, "multistatus"),
    (DAV, "response"),
    (DAV, "href"),
    (DAV, "propstat"),
    (DAV, "status"),
    (DAV, "prop"),
    (DAV, "resourcetype"),
    (DAV, "displayname"),
    (DAV, "getetag"),
    (DAV, "current-user-principal"),
    (CALDAV, "calendar"),
    (CALDAV, "calendar-home-set"),
    (CALDAV, "calendar-user-address-set"),
    (CALDAV, "calendar-data"),
    (CALDAV, "supported-calendar-component-set"),
    (CALDAV, "comp"),
];

#[derive(Default)]
struct MultistatusParser {
    path: Path,
    text: String,
    resource: Resource,
    /// Properties of the propstat that is being read, and whether they were found.
    found: Resource,
    status: String,
    done: Multistatus,
    seen_root: bool,
}

impl Multistatus {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut reader = NsReader::from_str(text);
        let mut reading = MultistatusParser::default();
        loop {
            let (namespace, event) =
                reader.read_resolved_event().map_err(|error| format!("no XML ({error})"))?;
            let namespace = bound(&namespace);
            match event {
                Event::Start(element) => {
                    reading.open(name(namespace, element.local_name().as_ref()))?;
                }
                Event::Empty(element) => {
                    let known = name(namespace, element.local_name().as_ref());
                    reading.open(known)?;
                    if known == "comp" {
                        let attributes = element.attributes().flatten();
                        let named = attributes.filter(|it| it.key.as_ref() == "name");
                        reading.text.extend(named.map(|it| it.value.into_owned()));
                    }
                    reading.close();
                }
                Event::End(_) => reading.close(),
                Event::Text(text) => reading.text.push_str(&text.xml10_content()),
                Event::CData(text) => reading.text.push_str(&text.into_inner()),
                Event::GeneralRef(reference) => {
                    let letter = reference.resolve_char_ref().map_err(|error| error.to_string())?;
                    let entity = quick_xml::escape::resolve_xml_entity(&reference);
                    match (letter, entity) {
                        (Some(letter), _) => reading.text.push(letter),
                        (None, Some(entity)) => reading.text.push_str(entity),
                        (None, None) => return Err("a custom entity".to_owned()),
                    }
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        match reading.seen_root && reading.path.is_empty() {
            true => Ok(reading.done),
            false => Err("no whole multistatus".to_owned()),
        }
    }

    pub(super) fn calendar_data(self) -> Vec<String> {
        self.resources.into_iter().filter_map(|resource| resource.calendar_data).collect()
    }
}

impl MultistatusParser {
    fn open(&mut self, name: &'static str) -> Result<(), String> {
        if self.path.len() >= DEEPEST {
            return Err("elements too deep inside one another".to_owned());
        }
        if self.path.is_empty() {
            if name != "multistatus" {
                return Err("another root".to_owned());
            }
            self.seen_root = true;
        }
        self.path.push(name);
        self.text.clear();
        match name {
            "response" => self.resource = Resource::default(),
            "propstat" => (self.found, self.status) = (Resource::default(), String::new()),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.text);
        let trimmed = || Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        match self.path.as_slice() {
            ["multistatus", "response", "href"] => self.resource.href = text.trim().to_owned(),
            [.., "propstat", "status"] => text.trim().clone_into(&mut self.status),
            [.., "prop", "getetag"] => self.found.etag = trimmed(),
            [.., "prop", "displayname"] => self.found.display_name = trimmed(),
            [.., "current-user-principal", "href"] => self.found.principal = trimmed(),
            [.., "calendar-home-set", "href"] => self.found.home = trimmed(),
            [.., "calendar-user-address-set", "href"] => self.found.addresses.extend(trimmed()),
            [.., "resourcetype", "calendar"] => self.found.is_calendar = true,
            [.., "supported-calendar-component-set", "comp"] => {
                self.found.components.get_or_insert_default().push(text.to_uppercase());
            }
            [.., "prop", "calendar-data"] => self.found.calendar_data = Some(text),
            ["multistatus", "response", "propstat"] => self.settle(),
            ["multistatus", "response"] => {
                self.done.resources.push(std::mem::take(&mut self.resource));
            }
            _ => {}
        }
        self.path.pop();
    }

    /// Drops properties that the server did not find.
    fn settle(&mut self) {
        let found = std::mem::take(&mut self.found);
        if self.status.split_whitespace().nth(1) == Some("200") {
            let href = std::mem::take(&mut self.resource.href);
            self.resource = Resource { href, ..found };
        }
    }
}

fn bound<'a>(namespace: &ResolveResult<'a>) -> Option<&'a str> {
    match namespace {
        ResolveResult::Bound(Namespace(namespace)) => Some(namespace),
        ResolveResult::Unbound | ResolveResult::Unknown(_) => None,
    }
}

/// The known name of an element; an unknown one is `""`.
fn name(namespace: Option<&str>, local: &str) -> &'static str {
    let known = KNOWN.iter().find(|(space, name)| Some(*space) == namespace && *name == local);
    known.map_or("", |(_, name)| name)
}

#[cfg(test)]
#[path = "multistatus_tests.rs"]
mod tests;
