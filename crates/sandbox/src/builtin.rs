//! The names of the module `aileron` and of the modules that set up a sandbox.

/// The specifier handlers import.
pub(crate) const AILERON: &str = "aileron";

/// Names no handler can import: only relative specifiers and `aileron` resolve.
pub(crate) const GUARD: &str = "<guard>";
pub(crate) const BRIDGE: &str = "<bridge>";
pub(crate) const FREEZE: &str = "<freeze>";

pub(crate) const GUARD_SOURCE: &str = include_str!("sandbox/guard.js");
pub(crate) const BRIDGE_SOURCE: &str = include_str!("sandbox/bridge.js");
pub(crate) const FREEZE_SOURCE: &str = include_str!("sandbox/freeze.js");
