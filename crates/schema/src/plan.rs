//! A schema as a plan of our own: what most schemas of tools need, checked in one pass.
//!
//! A plan answers exactly as the `jsonschema` crate does, fault for fault, and is
//! made only of keywords for which it can; see `compile`. A value that fits costs no
//! allocation, and a fault costs little more than its words.

mod check;
mod compile;
mod number;
mod options;

use std::ops::ControlFlow;
use std::sync::Arc;

use jsonschema::ValidationOptions;
use serde_json::{Map, Value};

use crate::expected::{Expected, unknown};
use crate::fault::{self, Fault, FaultKind};
use crate::keys::Keys;
use crate::place::Place;

use check::Check;

/// How many faults a list has room for at first.
const USUAL_FAULTS: usize = 8;

/// A schema that is checked without the `jsonschema` crate.
#[derive(Debug)]
pub(crate) struct Plan(Arc<Node>);

/// What is expected of one value.
#[derive(Debug, Default)]
struct Node {
    checks: Vec<Check>,
    object: Option<Object>,
    array: Option<Array>,
}

/// What is expected of the members of an object.
#[derive(Debug, Default)]
struct Object {
    /// Every name the schema speaks of, and what is expected of each.
    names: Keys,
    members: Vec<Member>,
    /// In the order of the schema, which is that of their faults.
    required: Vec<Required>,
    others: Others,
}

#[derive(Debug, Default)]
struct Member {
    is_required: bool,
    /// Absent if the name is required without being a property.
    property: Option<Property>,
}

#[derive(Debug)]
struct Property {
    /// The last part of its pointer.
    step: Box<str>,
    node: Arc<Node>,
}

#[derive(Debug)]
struct Required {
    name: Box<str>,
    expected: Expected,
}

/// What becomes of members that are not among the properties.
#[derive(Debug, Default)]
enum Others {
    #[default]
    Allowed,
    Refused {
        schema_pointer: Arc<str>,
    },
    Checked(Arc<Node>),
}

impl Others {
    fn refuse(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }
}

/// What is expected of the items of an array.
#[derive(Debug, Default)]
struct Array {
    first: Vec<Arc<Node>>,
    rest: Option<Arc<Node>>,
}

/// Takes faults, and says whether to look for more. A fault is put into words only if it is kept.
trait Report {
    fn add(&mut self, fault: impl FnOnce() -> Fault) -> ControlFlow<()>;
}

/// Stops at the first fault.
struct First;

impl Report for First {
    fn add(&mut self, _: impl FnOnce() -> Fault) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

impl Report for Vec<Fault> {
    fn add(&mut self, fault: impl FnOnce() -> Fault) -> ControlFlow<()> {
        if self.is_empty() {
            self.reserve(USUAL_FAULTS);
        }
        self.push(fault());
        ControlFlow::Continue(())
    }
}

impl Plan {
    /// The plan of a schema; `None` if it says more than a plan can. The schema has to be one
    /// that these options build.
    pub(crate) fn of(schema: &Value, options: &ValidationOptions<'_>) -> Option<Self> {
        compile::plan(schema, options).map(Self)
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.0.walk(value, &Place::Root, &mut First).is_continue()
    }

    pub(crate) fn faults(&self, value: &Value) -> Vec<Fault> {
        let mut faults = Vec::new();
        // A list takes every fault: the walk never stops early.
        let _ = self.0.walk(value, &Place::Root, &mut faults);
        fault::sort(&mut faults);
        faults
    }
}

impl Node {
    fn walk(&self, value: &Value, place: &Place<'_>, report: &mut impl Report) -> ControlFlow<()> {
        for check in &self.checks {
            if !check.holds(value) {
                report.add(|| check.fault(place.pointer(), value))?;
            }
        }
        match (value, &self.object, &self.array) {
            (Value::Object(members), Some(object), _) => object.walk(members, place, report),
            (Value::Array(items), _, Some(array)) => array.walk(items, place, report),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Object {
    fn walk(
        &self,
        members: &Map<String, Value>,
        place: &Place<'_>,
        report: &mut impl Report,
    ) -> ControlFlow<()> {
        let (mut required, mut refused) = (0, false);
        for (name, value) in members {
            let known = self.find(name);
            required += usize::from(known.is_some_and(|known| known.is_required));
            match (known.and_then(|known| known.property.as_ref()), &self.others) {
                (Some(Property { step, node }), _) => {
                    node.walk(value, &Place::Written(place, step), report)?;
                }
                (None, Others::Checked(node)) => {
                    node.walk(value, &Place::Member(place, name), report)?;
                }
                (None, Others::Refused { .. }) => refused = true,
                (None, Others::Allowed) => {}
            }
        }
        if let (true, Others::Refused { schema_pointer }) = (refused, &self.others) {
            report.add(|| self.unexpected(members, place, schema_pointer))?;
        }
        if required < self.required.len() {
            self.report_missing(members, place, report)?;
        }
        ControlFlow::Continue(())
    }

    fn find(&self, name: &str) -> Option<&Member> {
        self.members.get(self.names.find(name)?)
    }

    fn unexpected(
        &self,
        members: &Map<String, Value>,
        place: &Place<'_>,
        schema_pointer: &Arc<str>,
    ) -> Fault {
        let unknown_names = members.keys().filter(|name| self.find(name).is_none());
        let properties: Vec<_> = unknown_names.cloned().collect();
        Fault {
            pointer: place.pointer(),
            schema_pointer: schema_pointer.clone(),
            message: unknown(&properties),
            kind: FaultKind::Unexpected { properties },
        }
    }

    fn report_missing(
        &self,
        members: &Map<String, Value>,
        place: &Place<'_>,
        report: &mut impl Report,
    ) -> ControlFlow<()> {
        for required in self.required.iter().filter(|it| !members.contains_key(&*it.name)) {
            report.add(|| required.expected.fault(place.pointer(), &Value::Null))?;
        }
        ControlFlow::Continue(())
    }
}

impl Array {
    fn walk(
        &self,
        items: &[Value],
        place: &Place<'_>,
        report: &mut impl Report,
    ) -> ControlFlow<()> {
        for (index, item) in items.iter().enumerate() {
            if let Some(node) = self.first.get(index).or(self.rest.as_ref()) {
                node.walk(item, &Place::Item(place, index), report)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
