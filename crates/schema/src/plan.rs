//! A plan: the keywords that most tools use, checked in one pass.
//!
//! A plan answers exactly as the `jsonschema` crate does, fault for fault, and is made only of
//! keywords for which it can; see `compile`. A valid value costs no allocation, and a fault costs
//! little more than its text.

mod check;
mod compile;
mod fill;
mod number;
mod options;

use std::ops::ControlFlow;
use std::sync::Arc;

use jsonschema::ValidationOptions;
use serde_json::{Map, Value};

use crate::expected::Expected;
use crate::faults::{Faults, Listing};
use crate::keys::Keys;
use crate::place::ValuePath;

use check::{Check, Types};
use fill::FilledDefault;

/// A schema that is checked without the `jsonschema` crate.
#[derive(Debug)]
pub(crate) struct Plan {
    root: Arc<Node>,
    /// The expectations in messages; nodes refer to them by index, so that a list of faults shares
    /// them.
    expected: Arc<[Expected]>,
}

/// The checks of one value.
#[derive(Debug, Default)]
struct Node {
    types: Option<Types>,
    checks: Vec<Check>,
    object: Option<Object>,
    array: Option<Array>,
    /// Whether a default may have to be filled in.
    fills: bool,
}

/// The checks of the members of an object.
#[derive(Debug, Default)]
struct Object {
    /// Every name in the schema, and its checks.
    names: Keys,
    members: Vec<Member>,
    /// In the order of the schema, which is that of their faults.
    required: Vec<Required>,
    others: OtherMembers,
    defaults: Vec<FilledDefault>,
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
    expected: usize,
}

/// The treatment of members that are not in `properties`.
#[derive(Debug, Default)]
enum OtherMembers {
    #[default]
    Allowed,
    Refused {
        expected: usize,
    },
    Checked(Arc<Node>),
}

impl OtherMembers {
    fn refuse(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }
}

/// The checks of the items of an array.
#[derive(Debug, Default)]
struct Array {
    first: Vec<Arc<Node>>,
    rest: Option<Arc<Node>>,
}

/// Receives faults and decides whether to search for more. A message is formatted only if the fault
/// is kept.
trait FaultSink {
    fn add(&mut self, write: impl FnOnce(&mut Listing<'_>)) -> ControlFlow<()>;
}

/// Stops at the first fault.
struct FirstFault;

impl FaultSink for FirstFault {
    fn add(&mut self, _: impl FnOnce(&mut Listing<'_>)) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

impl FaultSink for Listing<'_> {
    #[inline]
    fn add(&mut self, write: impl FnOnce(&mut Listing<'_>)) -> ControlFlow<()> {
        write(self);
        ControlFlow::Continue(())
    }
}

impl Plan {
    /// The plan of a schema; `None` if it has keywords that a plan cannot check. The schema must
    /// compile with these options.
    pub(crate) fn of(schema: &Value, options: &ValidationOptions<'_>) -> Option<Self> {
        compile::plan(schema, options)
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.root.walk(value, &ValuePath::Root, &mut FirstFault).is_continue()
    }

    pub(crate) fn faults(&self, value: &Value) -> Faults {
        let mut faults = Listing::of(&self.expected);
        // A list accepts every fault, so the walk never stops early.
        let _ = self.root.walk(value, &ValuePath::Root, &mut faults);
        faults.into_faults()
    }

    /// Fills in missing values and finds the faults of the result.
    pub(crate) fn fill(&self, value: &mut Value) -> Faults {
        let mut faults = Listing::of(&self.expected);
        let _ = self.root.fill(value, &ValuePath::Root, &mut faults);
        faults.into_faults()
    }
}

impl Node {
    fn walk(
        &self,
        value: &Value,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        self.check(value, place, report)?;
        match (value, &self.object, &self.array) {
            (Value::Object(members), Some(object), _) => object.walk(members, place, report),
            (Value::Array(items), _, Some(array)) => array.walk(items, place, report),
            _ => ControlFlow::Continue(()),
        }
    }

    #[inline]
    fn check(
        &self,
        value: &Value,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        if let Some(types) = &self.types
            && !types.allow(value)
        {
            report.add(|faults| faults.add(place, types.expected, value))?;
        }
        for check in &self.checks {
            if !check.holds(value) {
                report.add(|faults| check.report(place, value, faults))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The members of an object that the walk has passed.
#[derive(Default)]
struct SeenMembers {
    all: usize,
    required: usize,
    refused: usize,
    /// The number of members before the first refused one.
    before_refused: usize,
}

impl Object {
    fn walk(
        &self,
        members: &Map<String, Value>,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        let mut seen = SeenMembers::default();
        for (name, value) in members {
            match self.find(name) {
                Some(Member { property: Some(Property { step, node }), is_required }) => {
                    seen.required += usize::from(*is_required);
                    node.walk(value, &ValuePath::Written(place, step), report)?;
                }
                known => self.walk_other(known, (name, value), &mut seen, place, report)?,
            }
            seen.all += 1;
        }
        self.conclude(members, &seen, place, report)
    }

    /// Reports the faults that concern the object as a whole.
    #[inline]
    fn conclude(
        &self,
        members: &Map<String, Value>,
        seen: &SeenMembers,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        if seen.refused > 0 || seen.required < self.required.len() {
            self.report_unknown(members, seen, place, report)?;
            self.report_missing(members, place, report)?;
        }
        ControlFlow::Continue(())
    }

    /// Checks a member that is not in `properties`; its name may still be known.
    fn walk_other(
        &self,
        known: Option<&Member>,
        (name, value): (&str, &Value),
        seen: &mut SeenMembers,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        seen.required += usize::from(known.is_some_and(|known| known.is_required));
        match &self.others {
            OtherMembers::Checked(node) => {
                node.walk(value, &ValuePath::Member(place, name), report)?;
            }
            OtherMembers::Refused { .. } => {
                if seen.refused == 0 {
                    seen.before_refused = seen.all;
                }
                seen.refused += 1;
            }
            OtherMembers::Allowed => {}
        }
        ControlFlow::Continue(())
    }

    fn report_unknown(
        &self,
        members: &Map<String, Value>,
        seen: &SeenMembers,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        let (1.., OtherMembers::Refused { expected }) = (seen.refused, &self.others) else {
            return ControlFlow::Continue(());
        };
        let names = members.keys().skip(seen.before_refused).map(String::as_str);
        let unknown = names.filter(|name| self.find(name).is_none()).take(seen.refused);
        report.add(|faults| faults.add_unknown(place, *expected, seen.refused, unknown))
    }

    fn find(&self, name: &str) -> Option<&Member> {
        self.members.get(self.names.find(name)?)
    }

    fn report_missing(
        &self,
        members: &Map<String, Value>,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        for required in self.required.iter().filter(|it| !members.contains_key(&*it.name)) {
            report.add(|faults| faults.add(place, required.expected, &Value::Null))?;
        }
        ControlFlow::Continue(())
    }
}

impl Array {
    fn walk(
        &self,
        items: &[Value],
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        for (index, item) in items.iter().enumerate() {
            if let Some(node) = self.first.get(index).or(self.rest.as_ref()) {
                node.walk(item, &ValuePath::Item(place, index), report)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
