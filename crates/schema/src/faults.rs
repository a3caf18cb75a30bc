//! A list of faults.
//!
//! All messages of a list are in one string, and the expectations are shared with the validator: an
//! empty list allocates nothing, a long one little more than its text.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jsonschema::ValidationError;
use serde_json::Value;

use crate::expected::{Expected, ExpectedKind, push_unknown, unknown};
use crate::fault::{FaultKind, SchemaFault, UnknownProperties};
use crate::pattern::keyword::RenamedPatterns;
use crate::place::ValuePath;

/// Initial capacity of a list: faults, and bytes of text.
const USUAL_FAULTS: usize = 16;
const USUAL_WORDS: usize = 1024;

/// Every way in which a value breaks its schema, in the order of their places.
#[derive(Clone, Default)]
pub struct Faults {
    /// The pointer and the message of each fault.
    text: String,
    entries: Vec<FaultSpan>,
    /// Where in `text` the names of unknown properties are.
    names: Vec<Range<usize>>,
    /// The expectations of the schema's plan.
    planned: Option<Arc<[Expected]>>,
    /// Expectations that are not in the plan.
    own: Vec<Expected>,
}

/// One fault: where in the text its pointer begins, its message begins, and both end.
#[derive(Clone, Copy)]
struct FaultSpan {
    start: usize,
    message: usize,
    end: usize,
    /// The index of the expectation: first those of the plan, then those of the list.
    expected: usize,
}

impl Faults {
    /// The only fault of a value that could not be checked.
    pub fn unreadable(why: &str) -> Self {
        let mut faults = Self::default();
        faults.add_own(&ValuePath::Root, Expected::unreadable(why), &Value::Null);
        faults
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn first(&self) -> Option<SchemaFault<'_>> {
        self.iter().next()
    }

    pub fn iter(&self) -> impl Iterator<Item = SchemaFault<'_>> {
        self.entries.iter().map(|entry| self.fault(*entry))
    }

    fn fault(&self, entry: FaultSpan) -> SchemaFault<'_> {
        let expected = self.expected(entry);
        SchemaFault {
            pointer: self.pointer(entry),
            schema_pointer: schema_pointer(expected),
            kind: self.kind(entry, expected),
            message: self.text.get(entry.message..entry.end).unwrap_or_default(),
        }
    }

    fn pointer(&self, entry: FaultSpan) -> &str {
        self.text.get(entry.start..entry.message).unwrap_or_default()
    }

    fn kind<'a>(&'a self, entry: FaultSpan, expected: Option<&'a Expected>) -> FaultKind<'a> {
        match expected.map(|expected| &expected.kind) {
            Some(ExpectedKind::Missing(property)) => FaultKind::Missing { property },
            Some(ExpectedKind::Unexpected) => {
                FaultKind::Unexpected { properties: self.names(entry) }
            }
            Some(ExpectedKind::WrongType) => FaultKind::WrongType,
            Some(ExpectedKind::NotAllowed(options)) => FaultKind::NotAllowed { options },
            Some(ExpectedKind::Other) | None => FaultKind::Other,
        }
    }

    /// Names were written in the order of the text.
    fn names(&self, entry: FaultSpan) -> UnknownProperties<'_> {
        let before = |end: usize| self.names.partition_point(|name| name.start < end);
        let places = self.names.get(before(entry.message)..before(entry.end)).unwrap_or_default();
        UnknownProperties { text: &self.text, places }
    }

    fn expected(&self, entry: FaultSpan) -> Option<&Expected> {
        let planned = self.planned();
        let own = || self.own.get(entry.expected.checked_sub(planned.len())?);
        planned.get(entry.expected).or_else(own)
    }

    fn planned(&self) -> &[Expected] {
        self.planned.as_deref().unwrap_or_default()
    }

    /// The index of the next expectation that the list adds.
    fn next_own(&self) -> usize {
        self.planned().len() + self.own.len()
    }

    /// Writes the fault that the `jsonschema` crate found.
    pub(crate) fn add_error(&mut self, error: &ValidationError<'_>) {
        let place = ValuePath::Written(&ValuePath::Root, error.instance_path().as_str());
        let schema_pointer = error.schema_path().as_str();
        let Some(unknown) = unknown(error.kind()) else {
            let expected = Expected::of(error.kind(), schema_pointer);
            return self.add_own(&place, expected, error.instance());
        };
        self.make_room();
        self.add(&place, self.next_own(), |text, places| {
            push_unknown(text, unknown.len(), unknown.iter().map(String::as_str), places);
        });
        self.own.push(Expected::no_others(schema_pointer));
    }

    /// Changes pointers back to the original schema.
    pub(crate) fn rename(&mut self, renamed: &RenamedPatterns) {
        for expected in &mut self.own {
            expected.schema_pointer = renamed.pointer(&expected.schema_pointer).into();
        }
    }

    /// Writes a fault that is not in the plan.
    fn add_own(&mut self, place: &ValuePath<'_>, expected: Expected, value: &Value) {
        self.make_room();
        self.add(place, self.next_own(), |text, _| expected.push_message(text, value));
        self.own.push(expected);
    }

    fn make_room(&mut self) {
        if self.entries.is_empty() {
            self.entries = Vec::with_capacity(USUAL_FAULTS);
            self.text = String::with_capacity(USUAL_WORDS);
        }
    }

    fn add(
        &mut self,
        place: &ValuePath<'_>,
        expected: usize,
        write: impl FnOnce(&mut String, &mut Vec<Range<usize>>),
    ) {
        let start = self.text.len();
        place.push_to(&mut self.text);
        let message = self.text.len();
        write(&mut self.text, &mut self.names);
        self.entries.push(FaultSpan { start, message, end: self.text.len(), expected });
    }

    /// Sorts faults by place; those of one keyword keep their order. The input is almost sorted.
    pub(crate) fn sort(&mut self) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by(|a, b| {
            let keyword = |entry: &FaultSpan| schema_pointer(self.expected(*entry));
            let place = |entry: &FaultSpan| self.text.as_bytes().get(entry.start..entry.message);
            place(a).cmp(&place(b)).then_with(|| keyword(a).cmp(keyword(b)))
        });
        self.entries = entries;
    }
}

fn schema_pointer(expected: Option<&Expected>) -> &str {
    expected.map_or("", |expected| &expected.schema_pointer)
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Faults {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// The faults of one walk over a plan, as they are found.
pub(crate) struct Listing<'a> {
    planned: &'a Arc<[Expected]>,
    faults: Faults,
}

impl<'a> Listing<'a> {
    pub(crate) fn of(planned: &'a Arc<[Expected]>) -> Self {
        Self { planned, faults: Faults::default() }
    }

    /// Writes the fault of a value that is not as the plan expects.
    pub(crate) fn add(&mut self, place: &ValuePath<'_>, expected: usize, value: &Value) {
        self.share_plan();
        let Some(planned) = self.planned.get(expected) else { return };
        self.faults.add(place, expected, |text, _| {
            planned.push_message(text, value);
        });
    }

    /// Writes the fault of an object with this number of unexpected members.
    pub(crate) fn add_unknown<'n>(
        &mut self,
        place: &ValuePath<'_>,
        expected: usize,
        count: usize,
        names: impl Iterator<Item = &'n str>,
    ) {
        self.share_plan();
        self.faults.add(place, expected, |text, places| {
            push_unknown(text, count, names, places);
        });
    }

    /// Writes a fault of the same keyword that is not in the plan.
    pub(crate) fn add_instead(
        &mut self,
        place: &ValuePath<'_>,
        expected: usize,
        error: &ValidationError<'_>,
    ) {
        self.share_plan();
        let Some(planned) = self.planned.get(expected) else { return };
        let own = Expected::of(error.kind(), &planned.schema_pointer);
        self.faults.add_own(place, own, error.instance());
    }

    fn share_plan(&mut self) {
        if self.faults.planned.is_none() {
            self.faults.make_room();
            self.faults.planned = Some(self.planned.clone());
        }
    }

    pub(crate) fn into_faults(mut self) -> Faults {
        if self.faults.len() > 1 {
            self.faults.sort();
        }
        self.faults
    }
}
