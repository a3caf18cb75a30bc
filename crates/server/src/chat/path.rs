//! The paths of chat.

/// The path of a chat request; the paths of its streams are below it.
pub(super) const PATH: &str = "/api/chat";

/// Whether a path belongs to chat.
pub(crate) fn is_chat(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
