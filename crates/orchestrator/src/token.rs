//! Confirmation tokens: an id that names the confirmation, and a signature over everything that the
//! person was shown. The caller, which has the clock and the store, checks whether a token has
//! expired or was used before.

use std::fmt;

use aileron_contract::{ContentHash, ConversationId, ToolId, UserId};
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The prefix of the signed data, so that no other use of the key produces a token.
const PURPOSE: &str = "aileron confirmation 1";

/// Bytes of randomness in an id.
const ID_BYTES: usize = 16;

/// Bytes of a signature.
const MAC_BYTES: usize = 32;

/// Names one confirmation: 128 random bits in base64url.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenId(String);

impl TokenId {
    /// A random id. Fails only if the operating system provides no randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; ID_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(BASE64URL_NOPAD.encode(&bytes)))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The fields that a token is bound to. A change of any field gives another token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding<'a> {
    pub id: &'a str,
    pub conversation: &'a ConversationId,
    pub user: Option<&'a UserId>,
    pub tool: &'a ToolId,
    pub tool_hash: &'a ContentHash,
    /// Hash of the canonical, validated arguments.
    pub args_hash: &'a ContentHash,
    pub registry_version: &'a str,
    /// Milliseconds since the Unix epoch.
    pub expires: u64,
}

/// A signed token: `<id>.<signature>`. Its holder may answer, so it is not shown in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token as the person's channel carries it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}.…)", id_of(&self.0).unwrap_or_default())
    }
}

/// Why a token is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFault {
    /// It does not have the form of a token.
    Malformed,
    /// It was not signed by this key for this binding.
    Mismatch,
}

impl fmt::Display for TokenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "expected a confirmation token, found another text",
            Self::Mismatch => "the confirmation token was not made for this call",
        })
    }
}

impl std::error::Error for TokenFault {}

/// Signs and verifies with one key.
#[derive(Clone)]
pub struct Signer(Hmac<Sha256>);

impl Signer {
    /// A signer with this key.
    pub fn new(key: [u8; 32]) -> Self {
        // HMAC pads a shorter key with zeros to the block size.
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(&key);
        Self(Hmac::new(&block.into()))
    }

    /// The token for a binding.
    pub fn sign(&self, binding: &Binding<'_>) -> Token {
        let mac = self.mac(binding).finalize().into_bytes();
        Token(format!("{}.{}", binding.id, BASE64URL_NOPAD.encode(&mac)))
    }

    /// Whether the token was signed by this key for exactly this binding, compared in constant
    /// time.
    pub fn verify(&self, token: &str, binding: &Binding<'_>) -> Result<(), TokenFault> {
        let (id, mac) = parts(token).ok_or(TokenFault::Malformed)?;
        if id != binding.id {
            return Err(TokenFault::Mismatch);
        }
        self.mac(binding).verify_slice(&mac).map_err(|_| TokenFault::Mismatch)
    }

    /// Each field is prefixed with its length, so that different bindings never give the same
    /// input.
    fn mac(&self, binding: &Binding<'_>) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        let mut field = |bytes: &[u8]| {
            mac.update(&(bytes.len() as u64).to_be_bytes());
            mac.update(bytes);
        };
        field(PURPOSE.as_bytes());
        field(binding.id.as_bytes());
        field(binding.conversation.as_str().as_bytes());
        field(&[u8::from(binding.user.is_some())]);
        field(binding.user.map_or("", UserId::as_str).as_bytes());
        field(binding.tool.as_str().as_bytes());
        field(binding.tool_hash.as_str().as_bytes());
        field(binding.args_hash.as_str().as_bytes());
        field(binding.registry_version.as_bytes());
        field(&binding.expires.to_be_bytes());
        mac
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

/// The id in a token, if the text has a token's form. Does not verify the signature.
pub fn id_of(token: &str) -> Option<&str> {
    parts(token).map(|(id, _)| id)
}

fn parts(token: &str) -> Option<(&str, [u8; MAC_BYTES])> {
    let (id, mac) = token.split_once('.')?;
    decoded::<ID_BYTES>(id)?;
    Some((id, decoded(mac)?))
}

/// Decodes a base64url text of exactly N bytes.
fn decoded<const N: usize>(text: &str) -> Option<[u8; N]> {
    // Decoding costs memory in proportion, so a long text is refused by its length.
    if text.len() != BASE64URL_NOPAD.encode_len(N) {
        return None;
    }
    BASE64URL_NOPAD.decode(text.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod tests;
