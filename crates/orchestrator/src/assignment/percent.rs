//! A percentage of an assignment rule, in hundredths of a percent.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Hundredths of a percent in a whole.
const WHOLE: u32 = 10_000;

/// From 0 to 100 %, with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u32);

impl Percent {
    pub(crate) const ZERO: Self = Self(0);
    pub(crate) const ALL: Self = Self(WHOLE);

    /// `None` if it is not from 0 to 100 or has more than two decimals.
    pub fn new(percent: f64) -> Option<Self> {
        let hundredths = (percent * 100.0).round();
        let is_exact = (percent * 100.0 - hundredths).abs() < 1e-6;
        ((0.0..=100.0).contains(&percent) && is_exact).then_some(Self(hundredths as u32))
    }

    /// Whether a place from 0 to 1 of all, given as 32 bits, lies within.
    pub(crate) fn includes(self, place: u32) -> bool {
        u64::from(place) * u64::from(WHOLE) < u64::from(self.0) << 32
    }

    fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.value())
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = f64::deserialize(deserializer)?;
        Self::new(found).ok_or_else(|| {
            D::Error::custom(format!(
                "expected a percentage from 0 to 100 with at most two decimals, found {found}"
            ))
        })
    }
}
