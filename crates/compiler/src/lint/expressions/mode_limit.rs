//! Compares one bound of a mode limit with the parameter's schema.

use serde_json::Value;

use super::shape::{BoundSide, PlaceSchemas, SchemaStep};
use crate::suggest;

/// Why a bound does not work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Objection {
    pub(crate) message: String,
    pub(crate) help: String,
    /// The item of `exclude` it is about.
    pub(crate) item: Option<usize>,
    /// Whether the bound merely has no effect.
    pub(crate) harmless: bool,
}

impl Objection {
    fn new(message: String, help: &str) -> Self {
        Self { message, help: help.to_owned(), item: None, harmless: false }
    }
}

/// A bound, the types it is for, and the keywords of the schema it must lie between.
struct Bound {
    name: &'static str,
    kinds: &'static [&'static str],
    order: BoundSide,
    /// The schema's bound on the same side.
    own: &'static str,
    /// The schema's bound on the other side.
    opposite: &'static str,
}

const BOUNDS: &[Bound] = &[
    Bound {
        name: "minimum",
        kinds: &["number"],
        order: BoundSide::Lower,
        own: "minimum",
        opposite: "maximum",
    },
    Bound {
        name: "maximum",
        kinds: &["number"],
        order: BoundSide::Upper,
        own: "maximum",
        opposite: "minimum",
    },
    Bound {
        name: "maxLength",
        kinds: &["string"],
        order: BoundSide::Upper,
        own: "maxLength",
        opposite: "minLength",
    },
    Bound {
        name: "maxItems",
        kinds: &["array"],
        order: BoundSide::Upper,
        own: "maxItems",
        opposite: "minItems",
    },
];

/// The types whose values can be excluded one by one.
const EXCLUDABLE: &[&str] = &["array", "string"];

/// The faults of a bound.
pub(crate) fn objections(shape: &PlaceSchemas<'_>, name: &str, limit: &Value) -> Vec<Objection> {
    if name == "exclude" {
        return exclusions(shape, limit);
    }
    let Some(bound) = BOUNDS.iter().find(|bound| bound.name == name) else { return Vec::new() };
    let Some(limit) = limit.as_f64() else { return Vec::new() };
    let objection =
        inapplicable(shape, name, bound.kinds).or_else(|| out_of_range(shape, bound, limit));
    objection.into_iter().collect()
}

fn inapplicable(shape: &PlaceSchemas<'_>, name: &str, kinds: &[&str]) -> Option<Objection> {
    if kinds.iter().any(|kind| shape.may_be(kind)) {
        return None;
    }
    let expected = kinds.join(" or ");
    let message = format!(
        "`{name}` does not apply: expected a parameter of type {expected}, found {}",
        shape.kind()
    );
    Some(Objection::new(message, "use a bound of the parameter's type, or remove it"))
}

fn out_of_range(shape: &PlaceSchemas<'_>, bound: &Bound, limit: f64) -> Option<Objection> {
    let kind = bound.kinds.first()?;
    let own = shape.loosest(bound.own, kind, bound.order);
    let opposite = shape.loosest(bound.opposite, kind, bound.order.reversed());
    if let Some(opposite) = opposite.filter(|opposite| bound.order.holds_back(limit, *opposite)) {
        let message = format!(
            "`{}` {limit} contradicts the schema's own `{}` {opposite}",
            bound.name, bound.opposite
        );
        return Some(Objection::new(
            message,
            "choose a bound that the schema allows; arguments are clamped to it",
        ));
    }
    let own = own.filter(|own| !bound.order.holds_back(limit, *own))?;
    let message = format!("`{}` {limit} is not tighter than the schema's own {own}", bound.name);
    let objection = Objection::new(message, "choose a tighter bound, or remove it");
    Some(Objection { harmless: true, ..objection })
}

impl BoundSide {
    fn reversed(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// Whether a limit is tighter than a bound.
    fn holds_back(self, limit: f64, bound: f64) -> bool {
        match self {
            Self::Upper => limit < bound,
            Self::Lower => limit > bound,
        }
    }
}

fn exclusions(shape: &PlaceSchemas<'_>, excluded: &Value) -> Vec<Objection> {
    if let Some(objection) = inapplicable(shape, "exclude", EXCLUDABLE) {
        return vec![objection];
    }
    let allowed = allowed(shape);
    let excluded = excluded.as_array().map(Vec::as_slice).unwrap_or_default();
    if allowed.is_empty() {
        return Vec::new();
    }
    let strange = excluded.iter().enumerate().filter(|(_, value)| !allowed.contains(value));
    let mut objections: Vec<_> =
        strange.map(|(index, value)| not_listed(index, value, &allowed)).collect();
    if allowed.iter().all(|value| excluded.contains(value)) {
        let message = "`exclude` takes out every value that the parameter may have".to_owned();
        objections.push(Objection::new(message, "leave at least one"));
    }
    objections
}

/// The values a parameter, or the items of one, may have.
fn allowed<'a>(shape: &PlaceSchemas<'a>) -> Vec<&'a Value> {
    match shape.item(None) {
        SchemaStep::Known(items) if shape.may_be("array") => items.values(),
        _ => shape.values(),
    }
}

fn not_listed(index: usize, value: &Value, allowed: &[&Value]) -> Objection {
    let names: Vec<_> = allowed.iter().filter_map(|value| value.as_str()).collect();
    let message =
        format!("`exclude` takes out {value}, which is not among the values of the parameter");
    let help = value.as_str().and_then(|name| suggest::did_you_mean(name, &names));
    let help = help.unwrap_or_else(|| "remove it".to_owned());
    Objection { item: Some(index), ..Objection::new(message, &help) }
}
