//! `[http]`: addresses that tools with `http:<host>` may use in addition to public ones over https.

use std::fs;
use std::path::{Path, PathBuf};

use aileron_capability::http::HttpOptions;
use serde::{Deserialize, Serialize};

use crate::output::Failure;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HttpSettings {
    /// Hosts that may have a private address.
    pub(crate) allow_private: Vec<String>,
    /// Hosts for which plain http is allowed.
    pub(crate) allow_plain: Vec<String>,
    /// Files with root certificates in PEM, trusted in addition to the platform's.
    pub(crate) extra_roots: Vec<PathBuf>,
}

impl HttpSettings {
    /// Whether plain http is allowed for the host of this URL.
    pub(crate) fn allows_plain(&self, url: &str) -> bool {
        let after_scheme = url.split_once("://").map(|(_, rest)| rest).unwrap_or_default();
        let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
        self.allow_plain.iter().any(|allowed| allowed.eq_ignore_ascii_case(host))
    }

    /// The options of a client.
    pub(crate) fn options(&self) -> Result<HttpOptions, Failure> {
        let roots = self.extra_roots.iter().map(|file| read(file));
        let roots = roots.collect::<Result<Vec<_>, _>>()?;
        Ok(HttpOptions {
            allow_private: self.allow_private.clone(),
            allow_plain: self.allow_plain.clone(),
            extra_roots: (!roots.is_empty()).then(|| roots.join("\n")),
            ..HttpOptions::default()
        })
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let fault =
        |error| format!("`{}` of [http] extra_roots cannot be read: {error}", file.display());
    fs::read_to_string(file).map_err(|error| Failure::Usage(fault(error)))
}
