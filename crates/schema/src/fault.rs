//! One way in which a value breaks its schema.

use std::ops::Range;

use serde_json::Value;

/// A fault: where it is and what was expected there. It borrows from its list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SchemaFault<'a> {
    /// JSON Pointer to the faulty value.
    pub pointer: &'a str,
    /// JSON Pointer to the keyword it breaks.
    pub schema_pointer: &'a str,
    pub kind: FaultKind<'a>,
    /// A sentence with the expected and the found value, without the location.
    pub message: &'a str,
}

/// The kinds of fault that a caller may distinguish.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FaultKind<'a> {
    Missing {
        property: &'a str,
    },
    Unexpected {
        properties: UnknownProperties<'a>,
    },
    WrongType,
    NotAllowed {
        options: &'a [Value],
    },
    /// Any other keyword; `schema_pointer` says which.
    Other,
}

/// The names of unexpected properties.
#[derive(Debug, Clone, Copy)]
pub struct UnknownProperties<'a> {
    /// The text of the whole list, and the position of each name in it.
    pub(crate) text: &'a str,
    pub(crate) places: &'a [Range<usize>],
}

impl<'a> UnknownProperties<'a> {
    pub fn iter(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let Self { text, places } = *self;
        places.iter().map(|place| text.get(place.clone()).unwrap_or_default())
    }
}

impl PartialEq for UnknownProperties<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
