//! One key over all items: 0 is the worst of them, 1 the best.

use aileron_capability::ToolError;

use super::args::{Item, Key, Prefer};

pub(super) struct Scale<'a> {
    pub(super) weight: f64,
    key: &'a str,
    prefer: Prefer,
    low: f64,
    high: f64,
}

impl<'a> Scale<'a> {
    pub(super) fn of(key: &'a Key, items: &[Item]) -> Result<Self, ToolError> {
        let values = || items.iter().filter_map(|item| item.value(&key.key));
        let bounds = values().reduce(f64::min).zip(values().reduce(f64::max));
        let (low, high) = bounds.ok_or_else(|| unknown(&key.key))?;
        Ok(Self { weight: key.weight, key: &key.key, prefer: key.prefer, low, high })
    }

    /// A missing value counts as the worst one; one value for all as the best.
    pub(super) fn share(&self, item: &Item) -> f64 {
        let Some(value) = item.value(self.key) else {
            return 0.0;
        };
        if self.high <= self.low {
            return 1.0;
        }
        let share = (value - self.low) / (self.high - self.low);
        match self.prefer {
            Prefer::High => share,
            Prefer::Low => 1.0 - share,
        }
    }
}

fn unknown(key: &str) -> ToolError {
    let message = format!("no item has a value for the key \"{key}\"");
    super::refusal(message, "check how the key is spelled")
}
