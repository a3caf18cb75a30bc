//! A provider's API key. It is sent to the provider and never shown in a message or in `Debug`.

use std::fmt;

use reqwest::header::HeaderValue;

/// Replaces the key in messages.
const HIDDEN: &str = "[key]";

/// A secret that is sent with requests.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The value of a header, or nothing when a header cannot carry the key.
    pub(super) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Replaces the key in a text that the provider wrote.
    pub(super) fn hide_in(&self, message: String) -> String {
        if self.0.is_empty() { message } else { message.replace(&self.0, HIDDEN) }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}
