//! A bound that became tighter.

use serde_json::{Value, json};

use self::number::Side;
use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{Pair, SchemaChange, say};
use crate::breaking::schema::types::Types;

mod number;

promise! {
    /// A value that was in bounds stays in bounds.
    ///
    /// ## Why
    /// A number that was small enough, a text that was short enough, a list that was long enough
    /// is refused. This is about `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`,
    /// `multipleOf`, `minLength`, `maxLength`, `minItems`, `maxItems`, `uniqueItems`,
    /// `minProperties` and `maxProperties`. Without the keyword there is no bound; another
    /// keyword for the same bound is no change.
    ///
    /// ## Example
    /// ```json
    /// { "top_k": { "type": "integer", "maximum": 50 } }
    /// { "top_k": { "type": "integer", "maximum": 20 } }
    /// ```
    ///
    /// ## Fix
    /// Keep the bound and let the handler use less. To use less by voice only, `modeLimits`
    /// clamps instead of refusing.
    BOUNDS_NO_TIGHTEN, "BOUNDS_NO_TIGHTEN", "bounds-tightened", Major
}

const COUNTS: [(&str, Side, Types); 6] = [
    ("minLength", Side::Lower, Types::STRING),
    ("maxLength", Side::Upper, Types::STRING),
    ("minItems", Side::Lower, Types::ARRAY),
    ("maxItems", Side::Upper, Types::ARRAY),
    ("minProperties", Side::Lower, Types::OBJECT),
    ("maxProperties", Side::Upper, Types::OBJECT),
];

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    let shared = pair.shared();
    if shared.meets(Types::NUMBER) {
        number::check(&PROMISE, pair, found);
    }
    for (keyword, side, types) in COUNTS {
        if shared.meets(types) && !pair.excused(keyword) {
            found.extend(count(pair, keyword, side));
        }
    }
    if shared.meets(Types::ARRAY) && !pair.excused("uniqueItems") {
        found.extend(unique(pair));
    }
}

fn count(pair: &Pair<'_, '_>, keyword: &str, side: Side) -> Option<SchemaChange> {
    let counts = |values: &mut dyn Iterator<Item = &Value>| -> Vec<f64> {
        values.filter_map(Value::as_f64).collect()
    };
    let mut ours = counts(&mut pair.sub.keyword(keyword));
    if keyword == "minProperties" {
        ours.push(pair.sub.required().len() as f64);
    }
    let bound =
        counts(&mut pair.sup.keyword(keyword)).into_iter().reduce(|a, b| tighter(side, a, b))?;
    let ours = ours.into_iter().reduce(|a, b| tighter(side, a, b));
    let fits = match side {
        Side::Lower => ours.unwrap_or_default() >= bound,
        Side::Upper => ours.is_some_and(|ours| ours <= bound),
    };
    (!fits).then(|| {
        let sub = pair.sub.keyword(keyword).next();
        pair.became(&PROMISE, keyword, &say(keyword, sub), &say(keyword, Some(&json!(bound))))
    })
}

fn tighter(side: Side, a: f64, b: f64) -> f64 {
    match side {
        Side::Lower => a.max(b),
        Side::Upper => a.min(b),
    }
}

fn unique(pair: &Pair<'_, '_>) -> Option<SchemaChange> {
    let keyword = "uniqueItems";
    let demanded =
        |mut values: Box<dyn Iterator<Item = &Value> + '_>| values.any(|value| value == true);
    let (sub, sup) = (pair.sub.keyword(keyword), pair.sup.keyword(keyword));
    let fits = demanded(Box::new(sub)) || !demanded(Box::new(sup));
    (!fits).then(|| {
        let sub = pair.sub.keyword(keyword).next();
        pair.became(&PROMISE, keyword, &say(keyword, sub), &say(keyword, Some(&json!(true))))
    })
}
