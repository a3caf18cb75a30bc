//! Paths that more than one part of the server knows.

/// Voice connections.
pub(crate) const VOICE: &str = "/v1/voice";

/// Dry runs.
pub(crate) const DRY_RUN: &str = "/v1/dry-run";

/// Conversations; the id of one follows.
const CONVERSATIONS: &str = "/v1/conversations/";

/// Whether this is the path of a conversation's replays.
pub(crate) fn is_replay(path: &str) -> bool {
    let rest = path.strip_prefix(CONVERSATIONS).and_then(|rest| rest.split_once('/'));
    rest.is_some_and(|(_, rest)| rest == "replay")
}
