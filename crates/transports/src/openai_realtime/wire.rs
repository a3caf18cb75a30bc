//! The events of OpenAI Realtime: one `type` each, audio in base64.

pub(super) mod incoming;
pub(super) mod item;
pub(super) mod outgoing;
pub(super) mod session;
pub(super) mod usage;
