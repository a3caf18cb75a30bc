//! Conditional requests by entity tag.

use axum::http::{HeaderMap, header};

/// Whether the client has the version of a file with this tag (`if-none-match`).
pub(crate) fn is_held(headers: &HeaderMap, tag: &str) -> bool {
    let said = headers.get_all(header::IF_NONE_MATCH).into_iter();
    let mut tags = said.filter_map(|it| it.to_str().ok()).flat_map(|text| text.split(','));
    tags.any(|it| matches!(it.trim(), "*") || it.trim().trim_start_matches("W/") == tag)
}
