//! A provider's key, which shows itself to nobody but the provider.

use std::fmt;

use reqwest::header::HeaderValue;

/// What a message has in place of a key.
const HIDDEN: &str = "[key]";

/// A secret that is sent with requests.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The value of a header, or nothing when a header cannot carry the key.
    pub(super) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Takes the key out of what somebody else wrote.
    pub(super) fn hide_in(&self, message: String) -> String {
        if self.0.is_empty() { message } else { message.replace(&self.0, HIDDEN) }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}
