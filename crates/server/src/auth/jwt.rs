//! JSON Web Tokens (RFC 7519), signed by a trusted issuer.
//!
//! The key decides the algorithm, never the token: a token that names another algorithm, or none, is refused.
//! `jwks` fetches the keys.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::Clock;
use aileron_contract::UserId;
use aileron_orchestrator::Person;
use data_encoding::BASE64URL_NOPAD;
use ring::hmac;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::AuthError;
use super::jwks::Jwks;

/// Maximum length of a token.
const MAX_TOKEN_BYTES: usize = 16 << 10;

/// Verifies tokens.
#[derive(Debug)]
pub struct Jwt {
    pub keys: JwtKeys,
    pub rules: JwtRules,
    pub clock: Arc<dyn Clock>,
}

/// The keys that signatures are verified with.
pub enum JwtKeys {
    /// A shared secret: HS256.
    Secret(hmac::Key),
    /// Public keys: RS256 and ES256.
    Public(Jwks),
}

impl fmt::Debug for JwtKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(_) => f.write_str("Secret"),
            Self::Public(keys) => keys.fmt(f),
        }
    }
}

impl JwtKeys {
    /// A secret of at least 32 bytes, as HS256 requires.
    pub fn secret(secret: &[u8]) -> Option<Self> {
        (secret.len() >= 32).then(|| Self::Secret(hmac::Key::new(hmac::HMAC_SHA256, secret)))
    }
}

/// The required claims, and the claims that are passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwtRules {
    /// The required `iss` claim.
    pub issuer: Option<String>,
    /// The required `aud` claim.
    pub audience: Option<String>,
    /// The allowed clock difference.
    pub leeway: Duration,
    /// Claims that tools and conditions may read.
    pub claims: Vec<String>,
}

impl Default for JwtRules {
    fn default() -> Self {
        let leeway = Duration::from_secs(60);
        Self { issuer: None, audience: None, leeway, claims: Vec::new() }
    }
}

#[derive(Debug, Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that the verifier must support. We support none.
    crit: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Claims {
    sub: String,
    exp: f64,
    nbf: Option<f64>,
    iss: Option<String>,
    aud: Option<OneOrMany>,
    scope: Option<OneOrMany>,
    scopes: Option<OneOrMany>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn includes(&self, wanted: &str) -> bool {
        match self {
            Self::One(one) => one == wanted,
            Self::Many(many) => many.iter().any(|one| one == wanted),
        }
    }

    /// Scopes in one string are separated by spaces.
    fn into_words(self) -> Vec<String> {
        match self {
            Self::One(one) => one.split_whitespace().map(str::to_owned).collect(),
            Self::Many(many) => many,
        }
    }
}

impl Jwt {
    /// The person that a token identifies.
    pub(super) async fn person(&self, token: &str) -> Result<Person, AuthError> {
        let claims = self.verified(token).await?;
        self.check(&claims)?;
        self.rules.person(claims).ok_or(AuthError::WrongToken)
    }

    /// The claims of a token whose signature is valid.
    async fn verified(&self, token: &str) -> Result<Claims, AuthError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(AuthError::WrongToken);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(AuthError::WrongToken)?;
        let (header, claims) = signed.split_once('.').ok_or(AuthError::WrongToken)?;
        let header: Header = decoded(header)?;
        let signature = bytes(signature)?;
        self.verify(&header, signed.as_bytes(), &signature).await?;
        decoded(claims)
    }

    async fn verify(
        &self,
        header: &Header,
        signed: &[u8],
        signature: &[u8],
    ) -> Result<(), AuthError> {
        if header.crit.is_some() {
            return Err(AuthError::WrongToken);
        }
        let good = match &self.keys {
            JwtKeys::Secret(key) => {
                header.alg == "HS256" && hmac::verify(key, signed, signature).is_ok()
            }
            JwtKeys::Public(keys) => {
                let now = self.clock.now_ms();
                let key = keys.find(&header.alg, header.kid.as_deref(), now).await?;
                key.verifies(signed, signature)
            }
        };
        if good { Ok(()) } else { Err(AuthError::WrongToken) }
    }

    fn check(&self, claims: &Claims) -> Result<(), AuthError> {
        let now = Duration::from_millis(self.clock.now_ms()).as_secs_f64();
        let leeway = self.rules.leeway.as_secs_f64();
        // A value that is not a number fails both comparisons, so it is refused.
        let is_unexpired = claims.exp + leeway > now;
        if !is_unexpired {
            return Err(AuthError::Expired);
        }
        if !claims.nbf.is_none_or(|nbf| nbf - leeway <= now) {
            return Err(AuthError::TooEarly);
        }
        if self.rules.are_met_by(claims) { Ok(()) } else { Err(AuthError::NotForUs) }
    }
}

impl JwtRules {
    fn are_met_by(&self, claims: &Claims) -> bool {
        let issued = self.issuer.is_none() || self.issuer == claims.iss;
        let meant = self.audience.as_ref().is_none_or(|audience| {
            claims.aud.as_ref().is_some_and(|named| named.includes(audience))
        });
        issued && meant
    }

    fn person(&self, claims: Claims) -> Option<Person> {
        let Claims { sub, scope, scopes, mut others, .. } = claims;
        let scopes = scope.or(scopes).map(OneOrMany::into_words).unwrap_or_default();
        others.retain(|name, _| self.claims.iter().any(|claim| claim == name));
        Some(Person { scopes, claims: others, ..Person::known(UserId::new(sub).ok()?) })
    }
}

fn bytes(part: &str) -> Result<Vec<u8>, AuthError> {
    BASE64URL_NOPAD.decode(part.as_bytes()).map_err(|_| AuthError::WrongToken)
}

fn decoded<T: for<'a> Deserialize<'a>>(part: &str) -> Result<T, AuthError> {
    serde_json::from_slice(&bytes(part)?).map_err(|_| AuthError::WrongToken)
}

#[cfg(test)]
#[path = "jwt_tests.rs"]
mod tests;
