//! The mode of a conversation: text or voice.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The mode of a conversation. Always explicit, never inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Text,
    Voice,
}

impl Mode {
    /// Every mode, in the order of files and messages.
    pub const ALL: [Self; 2] = [Self::Text, Self::Voice];

    /// The name used in every file and message.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Voice => "voice",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of modes, sorted and without repeats however it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Mode>", into = "Vec<Mode>")]
pub struct Modes(Vec<Mode>);

impl Modes {
    /// Whether the set holds the mode.
    pub fn contains(&self, mode: Mode) -> bool {
        self.0.contains(&mode)
    }

    /// The modes, sorted.
    pub fn iter(&self) -> impl Iterator<Item = Mode> + '_ {
        self.0.iter().copied()
    }
}

impl From<Vec<Mode>> for Modes {
    fn from(mut modes: Vec<Mode>) -> Self {
        modes.sort_unstable();
        modes.dedup();
        Self(modes)
    }
}

impl From<Modes> for Vec<Mode> {
    fn from(modes: Modes) -> Self {
        modes.0
    }
}
