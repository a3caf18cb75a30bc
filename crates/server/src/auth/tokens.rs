//! Static tokens. Only their hashes are stored.

use std::fmt;

use aileron_contract::UserId;
use aileron_orchestrator::Person;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

/// Minimum length of a token, so that it cannot be guessed.
const MIN_LENGTH: usize = 16;

/// Prefix of a claim among the scopes.
const CLAIM: &str = "claim:";

/// The tokens, each with its person.
#[derive(Default)]
pub struct Tokens(Vec<([u8; 32], Person)>);

/// Why a list of tokens is invalid. It never quotes a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokensError {
    /// Counted from one.
    line: usize,
    why: String,
}

impl fmt::Display for TokensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.line, self.why)
    }
}

impl std::error::Error for TokensError {}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokens({})", self.0.len())
    }
}

impl FromIterator<(String, Person)> for Tokens {
    /// Tokens that were validated elsewhere.
    fn from_iter<I: IntoIterator<Item = (String, Person)>>(tokens: I) -> Self {
        Self(tokens.into_iter().map(|(token, person)| (hash(&token), person)).collect())
    }
}

impl Tokens {
    /// Reads `<user> <token> [scope]... [claim:<name>=<value>]...`, one a line or separated by `;`. Lines that
    /// begin with `#` are skipped.
    pub fn read(text: &str) -> Result<Self, TokensError> {
        let mut tokens = Self::default();
        for (at, entry) in text.split(['\n', ';']).enumerate() {
            let entry = entry.trim();
            if entry.is_empty() || entry.starts_with('#') {
                continue;
            }
            let fault = |why| TokensError { line: at + 1, why };
            tokens.add(entry).map_err(fault)?;
        }
        Ok(tokens)
    }

    fn add(&mut self, entry: &str) -> Result<(), String> {
        let mut words = entry.split_whitespace();
        let (Some(user), Some(token)) = (words.next(), words.next()) else {
            return Err("expected `<user> <token> [scope]...`, found less".to_owned());
        };
        if token.len() < MIN_LENGTH {
            let found = token.len();
            return Err(format!(
                "expected a token of at least {MIN_LENGTH} characters, found {found}"
            ));
        }
        let id = UserId::new(user).map_err(|error| error.to_string())?;
        let (claims, scopes): (Vec<_>, Vec<_>) = words.partition(|word| word.starts_with(CLAIM));
        let claims = claims.into_iter().map(claim).collect::<Result<_, _>>()?;
        let scopes = scopes.into_iter().map(str::to_owned).collect();
        let person = Person { scopes, claims, ..Person::known(id) };
        if self.person(token).is_some() {
            return Err("the same token was given out before".to_owned());
        }
        self.0.push((hash(token), person));
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The people who have a token.
    pub fn people(&self) -> impl Iterator<Item = &Person> {
        self.0.iter().map(|(_, person)| person)
    }

    /// The person of a token. Takes the same time for valid and invalid tokens.
    pub fn person(&self, token: &str) -> Option<Person> {
        let hash = hash(token);
        let mut found = None;
        for (known, person) in &self.0 {
            if bool::from(known.ct_eq(&hash)) {
                found = Some(person);
            }
        }
        found.cloned()
    }
}

/// A claim of the person, as a token of an issuer would have it.
fn claim(word: &str) -> Result<(String, Value), String> {
    let claim = word.strip_prefix(CLAIM).and_then(|claim| claim.split_once('='));
    match claim.filter(|(name, _)| !name.is_empty()) {
        Some((name, value)) => Ok((name.to_owned(), json!(value))),
        None => Err(format!("expected `{CLAIM}<name>=<value>`, found {word:?}")),
    }
}

fn hash(token: &str) -> [u8; 32] {
    let digest = digest(&SHA256, token.as_bytes());
    let mut hash = [0; 32];
    hash.copy_from_slice(digest.as_ref());
    hash
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
