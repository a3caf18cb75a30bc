//! The promises about a tool's existence and version.

pub(super) mod addition_needs_minor;
pub(super) mod tool_no_delete;
pub(super) mod version_no_lower;
pub(super) mod version_raised_on_change;
