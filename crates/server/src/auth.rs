//! Who a request is from.

use std::collections::BTreeMap;
use std::fmt;

use aileron_orchestrator::Person;
use axum::http::{HeaderMap, header};

/// How people are told apart.
#[derive(Debug)]
pub enum Auth {
    /// Everybody is a stranger. For the own machine only.
    Open,
    /// Each token is somebody's.
    Tokens(BTreeMap<String, Person>),
}

/// Why nobody is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    NoToken,
    WrongToken,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoToken => "expected `Authorization: Bearer <token>`, found none; sign in first",
            Self::WrongToken => "the token is not known here; sign in again",
        })
    }
}

impl std::error::Error for Unknown {}

impl Auth {
    /// The person whose credentials these are.
    pub fn person(&self, headers: &HeaderMap) -> Result<Person, Unknown> {
        match self {
            Self::Open => Ok(Person::default()),
            Self::Tokens(known) => {
                let token = bearer(headers).ok_or(Unknown::NoToken)?;
                known.get(token).cloned().ok_or(Unknown::WrongToken)
            }
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
