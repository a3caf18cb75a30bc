//! The meeting link of an event: none, an address by a pattern, or a Zoom meeting.

mod zoom;

use std::fmt;
use std::sync::Arc;

use aileron_capability::CapabilityFault;
use aileron_contract::ContentHash;
use serde_json::json;
use url::Url;

use crate::backend::NewEvent;
use crate::drafts::Drafts;
pub use zoom::{Zoom, ZoomSettings};

/// The placeholder of the room in a pattern.
const ROOM: &str = "{id}";

/// The stored value while it is unknown whether a link was created.
pub(crate) const BEGUN: &str = "begun";

/// The leftover when an attempt fails after an earlier one with an unknown outcome.
pub(crate) const EARLIER: &str = "the meeting of an earlier attempt is left, since that attempt \
    may still make the event; another attempt with the same draft uses it";

/// Whether an earlier attempt left a link that its event may carry.
pub(crate) fn is_left(known: Option<&str>) -> bool {
    known.is_some_and(|known| known != BEGUN)
}

/// Where the link of an event comes from.
#[derive(Debug, Clone, Default)]
pub enum LinkSource {
    #[default]
    None,
    /// An address with `{id}` in it.
    Pattern(String),
    Zoom(Arc<Zoom>),
}

/// Why a pattern is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkError(pub(crate) String);

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LinkError {}

impl LinkSource {
    /// Links by a pattern such as `https://meet.example.com/{id}`.
    pub fn pattern(pattern: &str) -> Result<Self, LinkError> {
        let wrong = |why: &str| {
            LinkError(format!("expected a link such as https://meet.example.com/{{id}}, {why}"))
        };
        if !pattern.contains(ROOM) {
            return Err(wrong("found one without {id}"));
        }
        let url = Url::parse(&pattern.replace(ROOM, "room")).map_err(|_| wrong("found no URL"))?;
        match url.scheme() {
            "http" | "https" if url.username().is_empty() => Ok(Self::Pattern(pattern.to_owned())),
            _ => Err(wrong("found one of another scheme or with a user in it")),
        }
    }

    /// The link of an event; `known` is the value that an earlier attempt stored.
    pub(crate) async fn make(
        &self,
        event: &NewEvent,
        known: Option<&str>,
        drafts: &Drafts,
    ) -> Result<Option<String>, CapabilityFault> {
        if !event.wants_link {
            return Ok(None);
        }
        match self {
            Self::None => Ok(None),
            Self::Pattern(pattern) => Ok(Some(pattern.replace(ROOM, &room(&event.uid)))),
            Self::Zoom(zoom) => zoom.meeting(event, known, drafts).await.map(Some),
        }
    }

    /// Deletes the link of an event that was not created. Returns a sentence about a link that
    /// cannot be deleted.
    pub(crate) async fn withdraw(
        &self,
        uid: &str,
        link: Option<&str>,
        drafts: &Drafts,
    ) -> Option<&'static str> {
        match (self, link) {
            (Self::Zoom(zoom), Some(_)) => zoom.withdraw(uid, drafts).await,
            (Self::None | Self::Pattern(_), _) | (Self::Zoom(_), None) => None,
        }
    }
}

/// A room name that cannot be guessed.
fn room(uid: &str) -> String {
    let hash = ContentHash::of_value(&json!(["room", uid]));
    hash.as_str().get(..24).unwrap_or_default().to_owned()
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
