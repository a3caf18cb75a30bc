//! The messages of Gemini Live as they are sent. Protobuf in JSON: what is unset
//! is left out, and both spellings of a field name are read.

pub(super) mod incoming;
pub(super) mod outgoing;
pub(super) mod setup;
pub(super) mod usage;
