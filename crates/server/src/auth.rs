//! Who a request is from.

mod jwks;
mod jwt;
mod tokens;

use std::fmt;

use aileron_orchestrator::Person;
use axum::http::{HeaderMap, header};

pub use self::jwks::Jwks;
pub use self::jwt::{Jwt, JwtKeys, JwtRules};
pub use self::tokens::{Tokens, TokensError};

/// How people are told apart.
#[derive(Debug)]
pub enum Auth {
    /// Nobody says who they are. For the own machine only: whoever reaches it is the person at this
    /// machine, which is who a block holds for.
    Open,
    /// Each token is somebody's.
    Tokens(Tokens),
    /// Somebody we trust has signed who they are.
    Jwt(Box<Jwt>),
}

/// Why nobody is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthError {
    NoToken,
    WrongToken,
    /// The time for which a token was given is over.
    Expired,
    /// It is not yet that time.
    TooEarly,
    /// The token was given by someone else, or for something else.
    NotForUs,
    /// The keys that tokens are checked with cannot be fetched.
    KeysUnavailable,
}

impl fmt::Display for AuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoToken => "expected `Authorization: Bearer <token>`, found none; sign in first",
            Self::WrongToken => "the token is not known here; sign in again",
            Self::Expired => "the token has expired; sign in again",
            Self::TooEarly => "the token is not valid yet; look at the clock",
            Self::NotForUs => "the token was not given for this server; sign in here",
            Self::KeysUnavailable => {
                "tokens cannot be checked at the moment, because the keys cannot be fetched; try \
                 again later"
            }
        })
    }
}

impl std::error::Error for AuthError {}

/// What comes before a token among the protocols of a WebSocket: a browser cannot set headers there.
const IN_PROTOCOL: &str = "aileron.bearer.";

impl Auth {
    /// The person whose credentials these are.
    pub async fn person(&self, headers: &HeaderMap) -> Result<Person, AuthError> {
        let token = || bearer(headers).ok_or(AuthError::NoToken);
        match self {
            Self::Open => Ok(Person::local()),
            Self::Tokens(tokens) => tokens.person(token()?).ok_or(AuthError::WrongToken),
            Self::Jwt(jwt) => jwt.person(token()?).await,
        }
    }
}

/// The token of a request: from its header, or from the protocols that a WebSocket asks for.
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
