//! The source of the values of `secret:<NAME>`, and the masks that hide them again. Other code
//! decides which tool may read which name.

mod masks;
mod spellings;

use std::collections::BTreeMap;
use std::env;
use std::fmt;

pub use masks::Masks;

/// Returns secrets by name. Its `Debug` output must never contain a value.
pub trait Secrets: Send + Sync + fmt::Debug {
    /// The value, or `None` if there is no secret of that name.
    fn secret(&self, name: &str) -> Option<String>;
}

/// Reads the environment variable of exactly that name at each request. A value that is not Unicode
/// counts as absent.
#[derive(Debug, Clone, Copy, Default)]
pub struct EnvironmentSecrets;

impl Secrets for EnvironmentSecrets {
    fn secret(&self, name: &str) -> Option<String> {
        env::var(name).ok()
    }
}

/// A fixed set of secrets, for tests and for programs that keep theirs elsewhere.
#[derive(Clone, Default)]
pub struct FixedSecrets {
    values: BTreeMap<String, String>,
}

impl FixedSecrets {
    #[must_use]
    pub fn new(values: BTreeMap<String, String>) -> Self {
        Self { values }
    }
}

impl Secrets for FixedSecrets {
    fn secret(&self, name: &str) -> Option<String> {
        self.values.get(name).cloned()
    }
}

impl fmt::Debug for FixedSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FixedSecrets").field("names", &self.values.keys()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
