//! Groups adjacent values into contacts.

use serde::Serialize;

use super::found::{Hit, Kind};

#[derive(Default, Serialize)]
pub(super) struct Contact<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

impl<'a> Contact<'a> {
    fn slot(&mut self, kind: Kind) -> &mut Option<&'a str> {
        match kind {
            Kind::Name => &mut self.name,
            Kind::Email => &mut self.email,
            Kind::Phone => &mut self.phone,
            Kind::Url => &mut self.url,
        }
    }
}

/// The contacts of one block. A name, or a second value of one kind, begins the next contact.
pub(super) fn grouped(hits: &[Hit]) -> Vec<Contact<'_>> {
    let mut contacts: Vec<Contact<'_>> = Vec::new();
    let mut row = None;
    for hit in hits {
        let kind = hit.found.kind();
        // A name follows its contact only in the same line, as in "mira@example.com (Mira Holt)".
        let may_join = kind != Kind::Name || row == Some(hit.row);
        row = Some(hit.row);
        match contacts.last_mut().map(|contact| contact.slot(kind)) {
            Some(free @ None) if may_join => *free = Some(hit.found.value()),
            _ => {
                let mut contact = Contact::default();
                *contact.slot(kind) = Some(hit.found.value());
                contacts.push(contact);
            }
        }
    }
    contacts
}
