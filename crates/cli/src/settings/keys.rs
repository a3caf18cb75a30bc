//! Selects the API key for a URL: only the key that was named for it is sent.

/// The URL and key settings of a provider.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProviderAddress<'a> {
    /// The configured URL; empty means the provider's default.
    pub(super) url: &'a str,
    pub(super) usual_url: &'a str,
}

impl ProviderAddress<'_> {
    fn is_the_providers(self) -> bool {
        let plain = |url: &str| url.trim_end_matches('/').to_ascii_lowercase();
        self.url.is_empty() || plain(self.url) == plain(self.usual_url)
    }
}

/// The key for a URL: the one in the configured variable or, for the provider's default URL, the
/// one in its default variable. A custom URL receives no key unless one is named.
pub(super) fn find(
    place: ProviderAddress<'_>,
    named: &str,
    usual: &str,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, String> {
    let name = match named {
        "" if place.is_the_providers() => usual,
        "" => return Ok(None),
        named => named,
    };
    let found = environment(name).filter(|key| !key.is_empty());
    let none = || format!("expected a key in the environment variable {name}, found none");
    found.map(Some).ok_or_else(none)
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
