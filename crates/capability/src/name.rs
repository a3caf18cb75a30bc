//! The names under which a tool declares its capabilities.

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

/// A declaration that names no capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCapability(String);

impl fmt::Display for UnknownCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a capability (messaging, voice, audio, audit, kb, calendar, images, tools, \
             http:<host>, secret:<NAME>), found {:?}",
            self.0
        )
    }
}

impl std::error::Error for UnknownCapability {}

/// As a tool declares it.
impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Messaging => f.write_str("messaging"),
            Self::Voice => f.write_str("voice"),
            Self::Audio => f.write_str("audio"),
            Self::Audit => f.write_str("audit"),
            Self::Kb => f.write_str("kb"),
            Self::Calendar => f.write_str("calendar"),
            Self::Images => f.write_str("images"),
            Self::Tools => f.write_str("tools"),
            Self::Http(host) => write!(f, "http:{host}"),
            Self::Secret(name) => write!(f, "secret:{name}"),
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
        match text {
            "messaging" => Ok(Self::Messaging),
            "voice" => Ok(Self::Voice),
            "audio" => Ok(Self::Audio),
            "audit" => Ok(Self::Audit),
            "kb" => Ok(Self::Kb),
            "calendar" => Ok(Self::Calendar),
            "images" => Ok(Self::Images),
            "tools" => Ok(Self::Tools),
            _ => Err(UnknownCapability(text.to_owned())),
        }
    }
}
