//! The signature of a thought: sent with the first call of each reply; the client must send it
//! back.

use aileron_contract::ContentHash;

/// Signatures that clients use for calls that no model made.
const PLACEHOLDERS: &[&str] =
    &["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/// The result of verifying a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignatureVerdict {
    Genuine,
    Missing,
    Corrupted,
}

/// The signature of a call.
pub(super) fn sign(id: &str, name: &str) -> String {
    let hash = ContentHash::of_parts(["thought", id, "\n", name]);
    base64_simd::STANDARD.encode_to_string(hash.as_str().as_bytes())
}

/// Whether a call came back with its signature.
pub(super) fn verify(signature: Option<&str>, id: Option<&str>, name: &str) -> SignatureVerdict {
    let Some(signature) = signature else { return SignatureVerdict::Missing };
    let genuine = id.is_some_and(|id| sign(id, name) == signature);
    if genuine || PLACEHOLDERS.contains(&signature) {
        SignatureVerdict::Genuine
    } else {
        SignatureVerdict::Corrupted
    }
}
