//! The stable place of a person or conversation among all, for rules with a percentage.

use sha2::{Digest, Sha256};

use super::new_conversation::NewConversation;

/// A place from 0 to 1, as 32 bits. It depends on the salt and the person alone, or on the conversation of an
/// anonymous person; so it is the same after a restart and on every machine, and a growing percentage only
/// adds people.
pub(super) fn place(salt: &str, new: NewConversation<'_>) -> u32 {
    let (kind, unit) = match &new.person.id {
        Some(user) => (b'u', user.as_str()),
        None => (b'c', new.id.as_str()),
    };
    let mut hasher = Sha256::new();
    hasher.update(salt.as_bytes());
    hasher.update([0, kind, 0]);
    hasher.update(unit.as_bytes());
    let digest = hasher.finalize();
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}
