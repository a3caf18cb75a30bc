//! Authentication: finds the person who sent a request.

mod error;
mod jwks;
mod jwt;
mod tokens;

use aileron_orchestrator::Person;
use axum::http::{HeaderMap, header};

pub use self::error::AuthError;
pub use self::jwks::Jwks;
pub use self::jwt::{Jwt, JwtKeys, JwtRules};
pub use self::tokens::{Tokens, TokensError};

/// How people are authenticated.
#[derive(Debug)]
pub enum Auth {
    /// No authentication, for connections from this machine only. All clients are one anonymous person, so
    /// a block applies to all of them.
    Open,
    /// Static tokens, each of one person.
    Tokens(Tokens),
    /// JSON Web Tokens of a trusted issuer.
    Jwt(Box<Jwt>),
}

/// Prefix of a token in `Sec-WebSocket-Protocol`: a browser cannot set other headers of a WebSocket.
const IN_PROTOCOL: &str = "aileron.bearer.";

impl Auth {
    /// The person whose credentials the headers carry.
    pub async fn person(&self, headers: &HeaderMap) -> Result<Person, AuthError> {
        let token = || bearer(headers).ok_or(AuthError::NoToken);
        match self {
            Self::Open => Ok(Person::local()),
            Self::Tokens(tokens) => tokens.person(token()?).ok_or(AuthError::WrongToken),
            Self::Jwt(jwt) => jwt.person(token()?).await,
        }
    }
}

/// The token of a request, from `Authorization` or from `Sec-WebSocket-Protocol`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return in_protocol(headers) };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn in_protocol(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).into_iter();
    let mut names = all.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    names.find_map(|name| name.trim().strip_prefix(IN_PROTOCOL))
}

#[cfg(test)]
#[path = "auth_tests.rs"]
mod tests;
