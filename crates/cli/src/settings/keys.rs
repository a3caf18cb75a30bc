//! Which key goes to which address: only the one that was named for it.

/// Where a provider is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProviderAddress<'a> {
    /// As the settings say; empty means the provider's own address.
    pub(super) url: &'a str,
    pub(super) usual_url: &'a str,
}

impl ProviderAddress<'_> {
    fn is_the_providers(self) -> bool {
        let plain = |url: &str| url.trim_end_matches('/').to_ascii_lowercase();
        self.url.is_empty() || plain(self.url) == plain(self.usual_url)
    }
}

/// The key for a place: the one in the variable that the settings name, or else, at the provider's own address, the
/// one in its usual variable. Another server is sent no key unless one is named for it.
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
