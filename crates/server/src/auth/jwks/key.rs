//! One published public key.

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::Deserialize;
use serde_json::Value;

/// A key that verifies signatures.
pub(crate) struct SigningKey {
    id: Option<String>,
    kind: KeyType,
}

enum KeyType {
    /// RS256.
    Rsa { n: Vec<u8>, e: Vec<u8> },
    /// ES256: the point, uncompressed.
    P256(Vec<u8>),
}

#[derive(Deserialize)]
struct JwkFields {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({}, {:?})", self.algorithm(), self.id)
    }
}

impl SigningKey {
    /// Reads a signature key of a supported kind.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let written = JwkFields::deserialize(value).ok()?;
        if written.purpose.as_deref().is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let key = Self { kind: written.kind()?, id: written.kid };
        let named = written.alg.is_none_or(|alg| alg == key.algorithm());
        named.then_some(key)
    }

    fn algorithm(&self) -> &'static str {
        match self.kind {
            KeyType::Rsa { .. } => "RS256",
            KeyType::P256(_) => "ES256",
        }
    }

    /// Whether this key verifies tokens that name this algorithm and this key id.
    pub(super) fn fits(&self, alg: &str, id: Option<&str>) -> bool {
        self.algorithm() == alg && (id.is_none() || self.id.as_deref() == id)
    }

    pub(crate) fn verifies(&self, signed: &[u8], signature: &[u8]) -> bool {
        let verified = match &self.kind {
            KeyType::Rsa { n, e } => RsaPublicKeyComponents { n, e }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                signed,
                signature,
            ),
            KeyType::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed, signature)
            }
        };
        verified.is_ok()
    }
}

impl JwkFields {
    fn kind(&self) -> Option<KeyType> {
        match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => Some(KeyType::Rsa { n: number(&self.n)?, e: number(&self.e)? }),
            ("EC", Some("P-256")) => {
                let (x, y) = (number(&self.x)?, number(&self.y)?);
                let whole = x.len() == 32 && y.len() == 32;
                whole.then(|| KeyType::P256([&[4], x.as_slice(), y.as_slice()].concat()))
            }
            _ => None,
        }
    }
}

fn number(text: &Option<String>) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_ref()?.as_bytes()).ok()
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
