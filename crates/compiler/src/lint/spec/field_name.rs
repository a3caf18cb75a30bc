//! The name of a field in messages.

/// The field at a pointer, as a person writes it: `modeLimits.voice`.
pub(super) fn field_name(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}
