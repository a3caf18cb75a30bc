//! The table of all capabilities and the names under which a tool declares them.

use std::fmt;
use std::str::FromStr;

/// One declared capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Capability {
    Messaging,
    Voice,
    Audio,
    Audit,
    Kb,
    Calendar,
    Images,
    Tools,
    /// Requests to one host.
    Http(String),
    /// One secret.
    Secret(String),
}

impl Capability {
    /// Every capability that is declared by its name alone. The compiler's lint, the runtime and the
    /// JSON Schema of tools go by this table.
    pub const PLAIN: [(&'static str, Self); 8] = [
        ("messaging", Self::Messaging),
        ("voice", Self::Voice),
        ("audio", Self::Audio),
        ("audit", Self::Audit),
        ("kb", Self::Kb),
        ("calendar", Self::Calendar),
        ("images", Self::Images),
        ("tools", Self::Tools),
    ];

    /// The names of [`Self::PLAIN`].
    pub fn plain_names() -> impl Iterator<Item = &'static str> {
        Self::PLAIN.into_iter().map(|(name, _)| name)
    }
}

/// A declaration that names no capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCapability(String);

impl fmt::Display for UnknownCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain: Vec<_> = Capability::plain_names().collect();
        let (plain, found) = (plain.join(", "), &self.0);
        write!(f, "expected a capability ({plain}, http:<host>, secret:<NAME>), found {found:?}")
    }
}

impl std::error::Error for UnknownCapability {}

/// As a tool declares it.
impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(host) => write!(f, "http:{host}"),
            Self::Secret(name) => write!(f, "secret:{name}"),
            plain => {
                let named = Self::PLAIN.iter().find(|(_, known)| known == plain);
                f.write_str(named.map_or("", |(name, _)| name))
            }
        }
    }
}

impl FromStr for Capability {
    type Err = UnknownCapability;

    fn from_str(text: &str) -> Result<Self, UnknownCapability> {
        let named = |prefix| text.strip_prefix(prefix).filter(|name: &&str| !name.is_empty());
        if let Some(host) = named("http:") {
            return Ok(Self::Http(host.to_owned()));
        }
        if let Some(name) = named("secret:") {
            return Ok(Self::Secret(name.to_owned()));
        }
        let plain = Self::PLAIN.into_iter().find(|(name, _)| *name == text);
        plain.map(|(_, known)| known).ok_or_else(|| UnknownCapability(text.to_owned()))
    }
}

#[cfg(test)]
#[path = "capability_tests.rs"]
mod tests;
