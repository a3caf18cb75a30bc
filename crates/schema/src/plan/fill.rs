//! The same walk, which also fills in defaults.
//!
//! Each default, and whether it is valid, is known when the plan is built: a valid default is not
//! checked again.

use std::ops::ControlFlow;

use serde_json::{Map, Value};

use super::{Array, FaultSink, Member, Node, Object, Property, SeenMembers};
use crate::faults::Listing;
use crate::place::ValuePath;
use crate::present::PresentProperties;

/// The default of a property, with its nested defaults.
#[derive(Debug)]
pub(super) struct FilledDefault {
    /// The index of its member.
    pub(super) place: usize,
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) fits: bool,
}

/// Whether there was any fault.
#[derive(Default)]
struct AnyFault(bool);

impl FaultSink for AnyFault {
    fn add(&mut self, _: impl FnOnce(&mut Listing<'_>)) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Continue(())
    }
}

impl FilledDefault {
    pub(super) fn of(place: usize, name: &str, default: &Value, node: &Node) -> Self {
        let (mut value, mut fault) = (default.clone(), AnyFault::default());
        let _ = node.fill(&mut value, &ValuePath::Root, &mut fault);
        Self { place, name: name.to_owned(), value, fits: !fault.0 }
    }
}

impl Node {
    /// Checks come last, because they apply to the filled value.
    pub(super) fn fill(
        &self,
        value: &mut Value,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        if !self.fills {
            return self.walk(value, place, report);
        }
        match (&mut *value, &self.object, &self.array) {
            (Value::Object(members), Some(object), _) => object.fill(members, place, report)?,
            (Value::Array(items), _, Some(array)) => array.fill(items, place, report)?,
            _ => {}
        }
        self.check(value, place, report)
    }

    pub(super) fn fills(object: Option<&Object>, array: Option<&Array>) -> bool {
        object.is_some_and(Object::fills) || array.is_some_and(Array::fills)
    }
}

impl Object {
    fn fills(&self) -> bool {
        let properties = self.members.iter().filter_map(|member| member.property.as_ref());
        !self.defaults.is_empty() || properties.into_iter().any(|property| property.node.fills)
    }

    fn fill(
        &self,
        members: &mut Map<String, Value>,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        let (mut seen, mut present) = (SeenMembers::default(), PresentProperties::default());
        for (name, value) in members.iter_mut() {
            let known = self.names.find(name);
            known.into_iter().for_each(|at| present.insert(at));
            match known.and_then(|at| self.members.get(at)) {
                Some(Member { property: Some(Property { step, node }), is_required }) => {
                    seen.required += usize::from(*is_required);
                    node.fill(value, &ValuePath::Written(place, step), report)?;
                }
                known => self.walk_other(known, (name, value), &mut seen, place, report)?,
            }
            seen.all += 1;
        }
        for default in &self.defaults {
            if present.lacks(default.place, || members.contains_key(&default.name)) {
                self.insert(default, members, &mut seen, place, report)?;
            }
        }
        self.conclude(members, &seen, place, report)
    }

    fn insert(
        &self,
        default: &FilledDefault,
        members: &mut Map<String, Value>,
        seen: &mut SeenMembers,
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        members.insert(default.name.clone(), default.value.clone());
        let Some(member) = self.members.get(default.place) else {
            return ControlFlow::Continue(());
        };
        seen.required += usize::from(member.is_required);
        match &member.property {
            Some(Property { step, node }) if !default.fits => {
                node.walk(&default.value, &ValuePath::Written(place, step), report)
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Array {
    fn fills(&self) -> bool {
        self.first.iter().chain(&self.rest).any(|node| node.fills)
    }

    fn fill(
        &self,
        items: &mut [Value],
        place: &ValuePath<'_>,
        report: &mut impl FaultSink,
    ) -> ControlFlow<()> {
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(node) = self.first.get(index).or(self.rest.as_ref()) {
                node.fill(item, &ValuePath::Item(place, index), report)?;
            }
        }
        ControlFlow::Continue(())
    }
}
