//! Where the values behind `secret:<NAME>` come from, and what hides them again. Who may ask for which name is decided
//! by others.

mod masks;
mod spellings;

use std::collections::BTreeMap;
use std::env;
use std::fmt;

pub use masks::Masks;

/// Gives secrets by name. What its `Debug` prints must never hold a value.
pub trait Secrets: Send + Sync + fmt::Debug {
    /// The value, or nothing when there is none of that name.
    fn secret(&self, name: &str) -> Option<String>;
}

/// Reads the environment variable of exactly that name, each time it is asked. A value that is not
/// Unicode counts as absent.
#[derive(Debug, Clone, Copy, Default)]
pub struct EnvironmentSecrets;

impl Secrets for EnvironmentSecrets {
    fn secret(&self, name: &str) -> Option<String> {
        env::var(name).ok()
    }
}

/// Secrets given beforehand, for tests and for programs that keep theirs elsewhere.
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
