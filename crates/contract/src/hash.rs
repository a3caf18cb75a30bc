//! Content hashes: SHA-256 over canonical bytes.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::canonical;

/// A SHA-256 in lower-case hex.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// The hash of raw bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut hex = String::with_capacity(64);
        for byte in Sha256::digest(bytes) {
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }

    /// The hash of a value's canonical text.
    pub fn of_value(value: &Value) -> Self {
        Self::of_bytes(canonical::to_string(value).as_bytes())
    }

    /// All 64 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight digits, as they stand in a registry version.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
#[path = "hash_tests.rs"]
mod tests;
