//! Two alternatives to compare, and the messages about their differences.
//!
//! `sub` must fit into `sup`: every value that the first allows, the second allows too. The
//! direction of the comparison decides which of the two is the older one.

use std::fmt;
use std::rc::Rc;

use aileron_contract::canonical;
use serde_json::Value;

use super::disjoint::Overlaps;
use super::node::{Node, accepts};
use super::types::Types;
use crate::breaking::promise::Promise;

/// The writer of the value. Callers write arguments, which must stay accepted; the tool writes its
/// result, which readers must still understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::breaking) enum Variance {
    Arguments,
    Returns,
}

/// The direction of a comparison: changes that break others, or additions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::breaking) enum CompareDirection {
    Breaks,
    Additions,
}

/// The writer and the direction.
#[derive(Debug, Clone, Copy)]
pub(in crate::breaking) struct View {
    pub(in crate::breaking) variance: Variance,
    pub(in crate::breaking) look: CompareDirection,
}

impl View {
    /// The two in the order (sub, sup), given as (previous, current).
    pub(in crate::breaking) fn roles<T>(self, previous: T, current: T) -> (T, T) {
        if self.older_is_sub() { (previous, current) } else { (current, previous) }
    }

    pub(in crate::breaking) fn older_is_sub(self) -> bool {
        (self.variance == Variance::Arguments) == (self.look == CompareDirection::Breaks)
    }
}

/// The name of a value, as a person would write it: `filters.tags[]`.
#[derive(Debug, Clone)]
pub(in crate::breaking) struct Name {
    pub(in crate::breaking) path: String,
    /// Whether a missing value here is filled in from its `default`.
    pub(in crate::breaking) filled: bool,
}

impl Name {
    pub(in crate::breaking) fn top() -> Self {
        Self { path: String::new(), filled: true }
    }

    pub(in crate::breaking) fn property(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { path: format!("{}{dot}{name}", self.path), filled: self.filled }
    }

    /// The same value, with `default` ignored.
    pub(super) fn unfilled(&self) -> Self {
        Self { path: self.path.clone(), filled: false }
    }

    /// Translates the name of a value from another base to this one.
    pub(super) fn rebase(&self, there: &str, other: &str) -> String {
        match other.strip_prefix(there).unwrap_or(other) {
            "" => self.path.clone(),
            rest if rest.starts_with(['.', '[']) => format!("{}{rest}", self.path),
            rest => self.property(rest).path,
        }
    }

    pub(super) fn item(&self, index: impl fmt::Display) -> Self {
        Self { path: format!("{}[{index}]", self.path), filled: self.filled }
    }
}

/// A difference that matters.
#[derive(Debug, Clone)]
pub(in crate::breaking) struct SchemaChange {
    pub(in crate::breaking) promise: &'static Promise,
    /// The name of the value it is about.
    pub(in crate::breaking) path: String,
    pub(in crate::breaking) pointer: String,
    /// The text after the name of the value.
    pub(in crate::breaking) what: String,
    /// Whether the same change also occurs under another name.
    pub(in crate::breaking) elsewhere: bool,
}

impl SchemaChange {
    /// "parameter `path` <what>"
    pub(in crate::breaking) fn new(
        promise: &'static Promise,
        name: &Name,
        pointer: impl Into<String>,
        what: impl fmt::Display,
    ) -> Self {
        let what = format!(" {what}");
        Self { promise, path: name.path.clone(), pointer: pointer.into(), what, elsewhere: false }
    }
}

/// Two alternatives to compare.
#[derive(Debug)]
pub(in crate::breaking) struct Pair<'w, 'a> {
    pub(in crate::breaking) sub: &'w Node<'a>,
    pub(in crate::breaking) sup: &'w Node<'a>,
    pub(in crate::breaking) name: &'w Name,
    pub(in crate::breaking) view: View,
    pub(in crate::breaking) overlaps: Rc<Overlaps>,
}

impl<'w, 'a> Pair<'w, 'a> {
    /// The types that both allow.
    pub(in crate::breaking) fn shared(&self) -> Types {
        self.sub.types().and(self.sup.declared())
    }

    pub(in crate::breaking) fn older(&self) -> &'w Node<'a> {
        if self.view.older_is_sub() { self.sub } else { self.sup }
    }

    pub(in crate::breaking) fn newer(&self) -> &'w Node<'a> {
        if self.view.older_is_sub() { self.sup } else { self.sub }
    }

    /// Whether every value that `sub` lists passes a keyword of `sup`.
    pub(in crate::breaking) fn excused(&self, keyword: &str) -> bool {
        let Some(values) = self.sub.values() else { return false };
        let wanted: Vec<_> = self.sup.keyword(keyword).collect();
        values.iter().all(|value| wanted.iter().all(|wanted| accepts(keyword, wanted, value)))
    }

    /// A finding about a keyword of this value: "parameter `x` <what>".
    pub(in crate::breaking) fn found(
        &self,
        promise: &'static Promise,
        keyword: &str,
        what: impl fmt::Display,
    ) -> SchemaChange {
        SchemaChange::new(promise, self.name, self.newer().pointer(keyword), what)
    }

    /// A finding that a keyword of this value changed from one setting to another.
    pub(in crate::breaking) fn became(
        &self,
        promise: &'static Promise,
        keyword: &str,
        sub: &str,
        sup: &str,
    ) -> SchemaChange {
        let (older, newer) = if self.view.older_is_sub() { (sub, sup) } else { (sup, sub) };
        let mut found = self.found(promise, keyword, "");
        found.what = format!(": {older} became {newer}");
        found
    }
}

/// The most characters of a value that a message shows.
const SHOWN: usize = 80;

/// A value, as a message shows it.
pub(in crate::breaking) fn show(value: &Value) -> String {
    let text = canonical::to_string(value);
    if text.chars().count() <= SHOWN {
        return text;
    }
    let mut cut: String = text.chars().take(SHOWN).collect();
    cut.push('…');
    cut
}

/// A keyword with its value, as a message shows it.
pub(in crate::breaking) fn say(keyword: &str, value: Option<&Value>) -> String {
    match value {
        Some(value) => format!("`{keyword}: {}`", show(value)),
        None => format!("no `{keyword}`"),
    }
}
