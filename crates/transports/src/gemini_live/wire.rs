//! The messages of Gemini Live. Protobuf in JSON: unset fields are omitted, and both spellings of a field
//! name are accepted.

pub(super) mod incoming;
pub(super) mod outgoing;
pub(super) mod setup;
pub(super) mod usage;
