//! Bounds of numbers: four keywords for two edges, and the steps between them.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use crate::breaking::promise::Promise;
use crate::breaking::schema::Node;
use crate::breaking::schema::pair::{Pair, SchemaChange, say};
use crate::breaking::schema::types::Types;

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Lower,
    Upper,
}

impl Side {
    /// The keywords of this side: with the edge itself, and without it.
    fn keywords(self) -> [(&'static str, Edge); 2] {
        match self {
            Self::Lower => [("minimum", Edge::Closed), ("exclusiveMinimum", Edge::Open)],
            Self::Upper => [("maximum", Edge::Closed), ("exclusiveMaximum", Edge::Open)],
        }
    }

    /// How two numbers compare, where greater is tighter.
    fn tightness(self, a: &Number, b: &Number) -> Ordering {
        match self {
            Self::Lower => order(a, b),
            Self::Upper => order(b, a),
        }
    }
}

/// Whether the edge itself is inside. Ordered by tightness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    Closed,
    Open,
}

/// One end of a range, as a keyword gives it.
#[derive(Clone, Copy)]
struct Bound<'a> {
    keyword: &'static str,
    value: &'a Value,
    at: &'a Number,
    edge: Edge,
}

/// Reports bounds that became tighter as breaches of a promise.
pub(super) fn check(promise: &'static Promise, pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    for side in [Side::Lower, Side::Upper] {
        let excused = side.keywords().iter().all(|(keyword, _)| pair.excused(keyword));
        if !excused {
            found.extend(range(promise, pair, side));
        }
    }
    if !pair.excused("multipleOf") {
        found.extend(multiple(promise, pair));
    }
}

fn range(promise: &'static Promise, pair: &Pair<'_, '_>, side: Side) -> Option<SchemaChange> {
    let whole = pair.shared().and(Types::NUMBER) == Types::INTEGER;
    let bound = tightest(pair.sup, side, whole)?;
    let ours = tightest(pair.sub, side, whole);
    if ours.is_some_and(|ours| compare(side, whole, &ours, &bound) != Ordering::Less) {
        return None;
    }
    let shown = ours.map_or_else(
        || say(side.keywords()[0].0, None),
        |ours| say(ours.keyword, Some(ours.value)),
    );
    let demanded = say(bound.keyword, Some(bound.value));
    let keyword = [Some(bound.keyword), ours.map(|ours| ours.keyword)]
        .into_iter()
        .flatten()
        .find(|keyword| pair.newer().keyword(keyword).next().is_some());
    Some(pair.became(promise, keyword.unwrap_or(bound.keyword), &shown, &demanded))
}

fn tightest<'a>(node: &Node<'a>, side: Side, whole: bool) -> Option<Bound<'a>> {
    let bounds = side.keywords().into_iter().flat_map(|(keyword, edge)| {
        node.keyword(keyword)
            .filter_map(move |value| Some(Bound { keyword, value, at: value.as_number()?, edge }))
    });
    bounds.max_by(|a, b| compare(side, whole, a, b))
}

/// How two bounds compare, where greater is tighter. Among whole numbers more
/// than 0 is the same as at least 1.
fn compare(side: Side, whole: bool, a: &Bound<'_>, b: &Bound<'_>) -> Ordering {
    if whole {
        let (a, b) = (nearest_whole(side, a), nearest_whole(side, b));
        return match side {
            Side::Lower => a.cmp(&b),
            Side::Upper => b.cmp(&a),
        };
    }
    side.tightness(a.at, b.at).then(a.edge.cmp(&b.edge))
}

/// The first whole number inside of a bound.
fn nearest_whole(side: Side, bound: &Bound<'_>) -> i128 {
    let at = bound.at.as_f64().unwrap_or_default();
    let (rounded, inwards) = match side {
        Side::Lower => (at.ceil(), 1),
        Side::Upper => (at.floor(), -1),
    };
    let exact = bound.at.as_i128();
    let on_edge = exact.is_some() || rounded == at;
    let nearest = exact.unwrap_or(rounded as i128);
    if bound.edge == Edge::Open && on_edge { nearest.saturating_add(inwards) } else { nearest }
}

fn order(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => {
            let double = |number: &Number| number.as_f64().unwrap_or_default();
            double(a).partial_cmp(&double(b)).unwrap_or(Ordering::Equal)
        }
    }
}

/// Checks `multipleOf`. Integers are implicitly multiples of 1.
fn multiple(promise: &'static Promise, pair: &Pair<'_, '_>) -> Option<SchemaChange> {
    let keyword = "multipleOf";
    let steps = |node: &Node<'_>| -> Vec<f64> {
        node.keyword(keyword).filter_map(Value::as_f64).filter(|step| *step > 0.0).collect()
    };
    let mut ours = steps(pair.sub);
    if pair.shared().and(Types::NUMBER) == Types::INTEGER {
        ours.push(1.0);
    }
    let unmet = |step: &f64| !ours.iter().any(|ours| is_multiple(*ours, *step));
    steps(pair.sup).iter().any(unmet).then(|| {
        let sub = say(keyword, pair.sub.keyword(keyword).next());
        pair.became(promise, keyword, &sub, &say(keyword, pair.sup.keyword(keyword).next()))
    })
}

fn is_multiple(value: f64, of: f64) -> bool {
    let ratio = value / of;
    ratio >= 1.0 && (ratio - ratio.round()).abs() <= ratio * f64::EPSILON * 4.0
}
