//! `[auth]`: who may use the server. The settings name secrets and never contain them: they come
//! from the environment or from a separate file.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::Clock;
use aileron_server::{Auth, Jwks, Jwt, JwtKeys, JwtRules, Tokens};
use serde::{Deserialize, Serialize};

use crate::output::Failure;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AuthSettings {
    pub(crate) kind: AuthKind,
    /// The environment variable with the tokens.
    pub(crate) tokens_env: String,
    /// A file with tokens; empty means none.
    pub(crate) tokens_file: PathBuf,
    pub(crate) jwt: JwtSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AuthKind {
    /// JWT if it is configured, else tokens if they are, else no authentication.
    Auto,
    Open,
    Tokens,
    Jwt,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct JwtSettings {
    /// The environment variable with the secret of HS256.
    secret_env: String,
    /// The URL of the keys of RS256 and ES256.
    jwks: String,
    issuer: String,
    audience: String,
    leeway_seconds: u32,
    /// Claims that tools and conditions may read.
    claims: Vec<String>,
}

impl Default for AuthSettings {
    fn default() -> Self {
        Self {
            kind: AuthKind::Auto,
            tokens_env: "AILERON_TOKENS".to_owned(),
            tokens_file: PathBuf::new(),
            jwt: JwtSettings::default(),
        }
    }
}

impl Default for JwtSettings {
    fn default() -> Self {
        Self {
            secret_env: String::new(),
            jwks: String::new(),
            issuer: String::new(),
            audience: String::new(),
            leeway_seconds: 60,
            claims: Vec::new(),
        }
    }
}

impl AuthSettings {
    /// The claims of a person's token that tools and conditions may read.
    pub(super) fn claims(&self) -> &[String] {
        &self.jwt.claims
    }

    /// The authentication of people.
    pub(crate) fn auth(&self, clock: Arc<dyn Clock>) -> Result<Auth, Failure> {
        match self.resolved() {
            AuthKind::Auto | AuthKind::Open => Ok(Auth::Open),
            AuthKind::Tokens => self.tokens().map(Auth::Tokens),
            AuthKind::Jwt => self.jwt.checker(clock).map(|jwt| Auth::Jwt(Box::new(jwt))),
        }
    }

    fn resolved(&self) -> AuthKind {
        match self.kind {
            AuthKind::Auto if self.jwt.is_set() => AuthKind::Jwt,
            AuthKind::Auto if self.has_tokens() => AuthKind::Tokens,
            kind => kind,
        }
    }

    fn has_tokens(&self) -> bool {
        !self.tokens_file.as_os_str().is_empty() || variable(&self.tokens_env).is_some()
    }

    fn tokens(&self) -> Result<Tokens, Failure> {
        let (text, place) = match variable(&self.tokens_env) {
            Some(text) => (text, format!("${}", self.tokens_env)),
            None => (read(&self.tokens_file)?, format!("`{}`", self.tokens_file.display())),
        };
        let tokens = Tokens::read(&text)
            .map_err(|error| Failure::Usage(format!("the tokens of {place}: {error}")))?;
        match tokens.is_empty() {
            true => Err(Failure::Usage(format!("expected tokens in {place}, found none"))),
            false => Ok(tokens),
        }
    }
}

impl JwtSettings {
    fn is_set(&self) -> bool {
        !self.secret_env.is_empty() || !self.jwks.is_empty()
    }

    fn checker(&self, clock: Arc<dyn Clock>) -> Result<Jwt, Failure> {
        let some = |text: &String| (!text.is_empty()).then(|| text.clone());
        let rules = JwtRules {
            issuer: some(&self.issuer),
            audience: some(&self.audience),
            leeway: Duration::from_secs(self.leeway_seconds.into()),
            claims: self.claims.clone(),
        };
        Ok(Jwt { keys: self.keys()?, rules, clock })
    }

    fn keys(&self) -> Result<JwtKeys, Failure> {
        match (self.secret_env.as_str(), self.jwks.as_str()) {
            ("", "") => Err(usage("expected [auth.jwt] `secret_env` or `jwks`, found neither")),
            ("", url) => Jwks::at(url)
                .map(JwtKeys::Public)
                .map_err(|error| usage(&format!("[auth.jwt] jwks: {error}"))),
            (name, "") => {
                let secret = variable(name).ok_or_else(|| {
                    usage(&format!("expected the secret of [auth.jwt] in ${name}, found nothing"))
                })?;
                JwtKeys::secret(secret.as_bytes()).ok_or_else(|| {
                    usage(&format!("expected a secret of at least 32 bytes in ${name}"))
                })
            }
            _ => Err(usage("expected one of [auth.jwt] `secret_env` and `jwks`, found both")),
        }
    }
}

/// The value of a variable, if it is not empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !name.is_empty() && !text.trim().is_empty())
}

fn read(file: &Path) -> Result<String, Failure> {
    if file.as_os_str().is_empty() {
        return Err(usage(
            "expected tokens in the variable of [auth] `tokens_env`, or `tokens_file`",
        ));
    }
    fs::read_to_string(file)
        .map_err(|error| usage(&format!("`{}` of [auth] cannot be read: {error}", file.display())))
}

fn usage(message: &str) -> Failure {
    Failure::Usage(message.to_owned())
}
