//! URI references, resolved the way the validator resolves them.

use jsonschema::uri;

/// The base of a schema without `$id`.
pub const DEFAULT_BASE: &str = "json-schema:///";

/// The absolute URI that a reference means beside a base; `None` if one of them is not a URI.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    let base = uri::from_str(base).ok()?;
    let resolved = uri::resolve_against(&base.borrow(), reference).ok()?;
    Some(resolved.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_against_their_base() {
        let check = |base, reference, expected: &str| {
            assert_eq!(resolve(base, reference).as_deref(), Some(expected));
        };
        check(DEFAULT_BASE, "item.json", "json-schema:///item.json");
        check("https://example.com/a/b", "c", "https://example.com/a/c");
        check("https://example.com/a", "urn:x:y", "urn:x:y");
    }

    #[test]
    fn what_is_no_reference_is_refused() {
        assert_eq!(resolve(DEFAULT_BASE, "two words"), None);
        assert_eq!(resolve(DEFAULT_BASE, "#/$defs/List<Item>"), None);
    }
}
