//! Why a request is not authenticated.

use std::fmt;

/// Why a request is not authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthError {
    NoToken,
    WrongToken,
    /// The `exp` claim has passed.
    Expired,
    /// The `nbf` claim lies ahead.
    TooEarly,
    /// The token has another issuer or another audience.
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
