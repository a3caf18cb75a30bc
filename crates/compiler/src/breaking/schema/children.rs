//! The values inside of a value: properties and items.

use super::pair::{Pair, SchemaChange, Variance};
use super::types::Types;
use super::walk::CompareWalk;
use crate::breaking::arguments::param_same_default;

impl CompareWalk {
    /// Compares the properties that either names, and those that neither does.
    pub(super) fn properties(&mut self, pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
        if !pair.shared().meets(Types::OBJECT) {
            return;
        }
        let names = (pair.sub.names(), pair.sup.names());
        for name in names.0.union(names.1) {
            if is_compared(pair, names.0.contains(name), names.1.contains(name)) {
                self.property(pair, name, found);
            }
        }
        let (sub, sup) = (pair.sub.unlisted(), pair.sup.unlisted());
        if !sub.is_closed() && !sup.is_closed() {
            found.extend(self.compare(&sub, &sup, &pair.name.unfilled().property("*")));
        }
    }

    fn property(&mut self, pair: &Pair<'_, '_>, name: &str, found: &mut Vec<SchemaChange>) {
        let (sub, sup) = (pair.sub.property(name), pair.sup.property(name));
        if sub.is_closed() || sup.is_closed() {
            return;
        }
        let name = pair.name.property(name);
        let (older, newer) = if self.view.older_is_sub() { (&sub, &sup) } else { (&sup, &sub) };
        found.extend(param_same_default::check(self.view, older, newer, &name));
        found.extend(self.compare(&sub, &sup, &name));
    }

    /// Compares the items, one by one up to the longer prefix.
    pub(super) fn items(&mut self, pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
        if !pair.shared().meets(Types::ARRAY) {
            return;
        }
        let told_apart = pair.sub.prefix().max(pair.sup.prefix());
        for index in 0..=told_apart {
            let (sub, sup) = (pair.sub.item(index), pair.sup.item(index));
            if sub.is_closed() || sup.is_closed() {
                continue;
            }
            let last = index == told_apart;
            let name = if last { pair.name.item("") } else { pair.name.item(index) };
            found.extend(self.compare(&sub, &sup, &name));
        }
    }
}

/// A property that only one side names is compared with the other side's schema of additional
/// properties, unless another rule reports it as lost.
fn is_compared(pair: &Pair<'_, '_>, in_sub: bool, in_sup: bool) -> bool {
    if in_sub && in_sup {
        return true;
    }
    match pair.view.variance {
        Variance::Arguments => in_sup,
        Variance::Returns => in_sub,
    }
}
