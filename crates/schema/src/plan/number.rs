//! Numbers compared by value, not by spelling.
//!
//! Nothing is rounded: 2^53 and 2^53 + 1 are two numbers, 1 and 1.0 are one.

use std::cmp::Ordering;

use serde_json::Number;

/// A number, exactly.
#[derive(Debug, Clone, Copy)]
pub(super) enum ExactNumber {
    Whole(i128),
    Float(f64),
}

impl ExactNumber {
    /// `None` if it is neither an integer nor a float, which JSON does not have.
    pub(super) fn of(number: &Number) -> Option<Self> {
        number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from))
            .map(Self::Whole)
            .or_else(|| number.as_f64().map(Self::Float))
    }

    pub(super) fn is_whole(self) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Float(float) => float.fract() == 0.0,
        }
    }

    pub(super) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.cmp(&b),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (Self::Whole(a), Self::Float(b)) => compare_mixed(a, b),
            (Self::Float(a), Self::Whole(b)) => compare_mixed(b, a).reverse(),
        }
    }
}

/// A float beyond the range of `i128` becomes its nearest end when it is cast, and
/// there is no whole number of JSON at either end.
#[allow(clippy::cast_possible_truncation)]
fn compare_mixed(whole: i128, float: f64) -> Ordering {
    let fraction = || 0.0.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal);
    whole.cmp(&(float.trunc() as i128)).then_with(fraction)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(a: Value, b: Value, expected: Ordering) {
        let exact = |value: &Value| ExactNumber::of(value.as_number().unwrap()).unwrap();
        assert_eq!(exact(&a).compare(exact(&b)), expected, "{a} beside {b}");
        assert_eq!(exact(&b).compare(exact(&a)), expected.reverse(), "{b} beside {a}");
    }

    #[test]
    fn numbers_are_compared_without_rounding() {
        check(json!(1), json!(1.0), Ordering::Equal);
        check(json!(0), json!(-0.0), Ordering::Equal);
        check(json!(1), json!(1.5), Ordering::Less);
        check(json!(-1), json!(-1.5), Ordering::Greater);
        check(json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), Ordering::Greater);
        check(json!(u64::MAX), json!(18_446_744_073_709_551_616.0), Ordering::Less);
        check(json!(i64::MIN), json!(-9_223_372_036_854_775_808.0), Ordering::Equal);
        check(json!(u64::MAX), json!(1e300), Ordering::Less);
        check(json!(i64::MIN), json!(-1e300), Ordering::Greater);
    }
}
