//! Paths that more than one part of the server knows.

/// Voice connections.
pub(crate) const VOICE: &str = "/v1/voice";

/// Dry runs.
pub(crate) const DRY_RUN: &str = "/v1/dry-run";

/// The end of the path of replays.
pub(crate) const REPLAY: &str = "/replay";
