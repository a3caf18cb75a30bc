//! A token is refused for another id, another field, another key, and random text.

use proptest::prelude::*;

use super::*;

const ID: &str = "AAECAwQFBgcICQoLDA0ODw";

struct Fields {
    id: String,
    conversation: ConversationId,
    user: Option<UserId>,
    tool: ToolId,
    tool_hash: ContentHash,
    args_hash: ContentHash,
    registry_version: String,
    expires: u64,
}

impl Fields {
    fn binding(&self) -> Binding<'_> {
        Binding {
            id: &self.id,
            conversation: &self.conversation,
            user: self.user.as_ref(),
            tool: &self.tool,
            tool_hash: &self.tool_hash,
            args_hash: &self.args_hash,
            registry_version: &self.registry_version,
            expires: self.expires,
        }
    }
}

fn fields() -> Fields {
    Fields {
        id: ID.to_owned(),
        conversation: ConversationId::new("c-1").unwrap(),
        user: Some(UserId::new("ada").unwrap()),
        tool: ToolId::new("calendar_create_event").unwrap(),
        tool_hash: ContentHash::of_bytes(b"tool"),
        args_hash: ContentHash::of_bytes(b"args"),
        registry_version: "1.0.abcdef01".to_owned(),
        expires: 1_700_000_000_000,
    }
}

fn signer() -> Signer {
    Signer::new([7; 32])
}

#[track_caller]
fn refuse(token: &str, fault: TokenFault) {
    assert_eq!(signer().verify(token, &fields().binding()), Err(fault), "{token}");
}

#[test]
fn a_token_is_its_id_and_a_signature() {
    let token = signer().sign(&fields().binding());
    assert_eq!(id_of(token.as_str()), Some(ID));
    assert_eq!(token.as_str().len(), 22 + 1 + 43);
    assert_eq!(signer().verify(token.as_str(), &fields().binding()), Ok(()));
}

/// Fixes the encoding: a change would invalidate the open tokens when a machine is updated.
#[test]
fn the_signature_is_hmac_sha_256_over_length_prefixed_fields() {
    let token = signer().sign(&fields().binding());
    let expected = "AAECAwQFBgcICQoLDA0ODw.EJApFpdCuJIVkpqD8hqGM4gSv5ApkFvhcrBS72OOaDw";
    assert_eq!(token.as_str(), expected);
}

/// RFC 4231, test case 1, by the same crate and hash.
#[test]
fn the_mac_is_the_one_of_the_standard() {
    let mut mac = Hmac::<Sha256>::new_from_slice(&[0x0b; 20]).unwrap();
    mac.update(b"Hi There");
    let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
    assert_eq!(data_encoding::HEXLOWER.encode(&mac.finalize().into_bytes()), expected);
}

#[test]
fn a_change_of_any_field_is_noticed() {
    let token = signer().sign(&fields().binding());
    let changes: [fn(&mut Fields); 9] = [
        |f| f.id = "BBECAwQFBgcICQoLDA0ODw".to_owned(),
        |f| f.conversation = ConversationId::new("c-2").unwrap(),
        |f| f.user = None,
        |f| f.user = Some(UserId::new("tom").unwrap()),
        |f| f.tool = ToolId::new("calendar_delete_event").unwrap(),
        |f| f.tool_hash = ContentHash::of_bytes(b"tool 2"),
        |f| f.args_hash = ContentHash::of_bytes(b"args 2"),
        |f| f.registry_version.push('0'),
        |f| f.expires += 1,
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut changed = fields();
        change(&mut changed);
        let verdict = signer().verify(token.as_str(), &changed.binding());
        assert_eq!(verdict, Err(TokenFault::Mismatch), "change {index}");
    }
}

#[test]
fn what_moves_from_one_field_to_the_next_is_noticed() {
    let (mut left, mut right) = (fields(), fields());
    left.conversation = ConversationId::new("ab").unwrap();
    left.user = Some(UserId::new("c").unwrap());
    right.conversation = ConversationId::new("a").unwrap();
    right.user = Some(UserId::new("bc").unwrap());
    assert_ne!(signer().sign(&left.binding()), signer().sign(&right.binding()));
}

#[test]
fn another_key_does_not_count() {
    let token = Signer::new([8; 32]).sign(&fields().binding());
    refuse(token.as_str(), TokenFault::Mismatch);
}

#[test]
fn an_id_of_another_token_does_not_count() {
    let token = signer().sign(&fields().binding());
    let (_, mac) = token.as_str().split_once('.').unwrap();
    refuse(&format!("BBECAwQFBgcICQoLDA0ODw.{mac}"), TokenFault::Mismatch);
}

#[test]
fn every_altered_character_is_noticed() {
    let token = signer().sign(&fields().binding());
    for at in 0..token.as_str().len() {
        let mut bytes = token.as_str().as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let altered = String::from_utf8(bytes).unwrap();
        assert!(signer().verify(&altered, &fields().binding()).is_err(), "{altered}");
    }
}

#[test]
fn every_cut_and_every_addition_is_malformed() {
    let token = signer().sign(&fields().binding());
    for end in 0..token.as_str().len() {
        refuse(&token.as_str()[..end], TokenFault::Malformed);
    }
    for noise in ["=", ".", " ", "\n", "A", "\0", "é"] {
        refuse(&format!("{}{noise}", token.as_str()), TokenFault::Malformed);
        refuse(&format!("{noise}{}", token.as_str()), TokenFault::Malformed);
    }
}

#[test]
fn noise_is_malformed() {
    let long = "A".repeat(1_000_000);
    for text in ["", ".", "..", "yes", "é.😀", "\u{202e}.\u{200b}", &long, &format!("{ID}.{long}")]
    {
        refuse(text, TokenFault::Malformed);
        assert_eq!(id_of(text), None);
    }
}

#[test]
fn random_ids_differ_and_have_the_form_of_ids() {
    let (one, two) = (TokenId::random().unwrap(), TokenId::random().unwrap());
    assert_ne!(one, two);
    let mut fields = fields();
    fields.id = one.as_str().to_owned();
    let token = signer().sign(&fields.binding());
    assert_eq!(id_of(token.as_str()), Some(one.as_str()));
}

#[test]
fn neither_key_nor_signature_is_shown() {
    let token = signer().sign(&fields().binding());
    assert_eq!(format!("{token:?}"), format!("Token({ID}.…)"));
    assert_eq!(format!("{:?}", signer()), "Signer");
}

proptest! {
    #[test]
    fn no_text_is_taken_for_the_token(text in ".{0,80}") {
        prop_assert!(signer().verify(&text, &fields().binding()).is_err());
    }
}
