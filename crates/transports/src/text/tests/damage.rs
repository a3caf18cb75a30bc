//! Streams with bytes that were lost, added or changed: read to an end, good or
//! bad, and never to a panic.

use std::collections::BTreeSet;

use aileron_contract::text::{FinishReason, ReplyEvent};
use proptest::prelude::*;

use super::histories::{part, stream};
use crate::text::TextProvider;
use crate::text::samples::{CollectedReply, read};

/// A change at a place: the bytes that are taken away there, and those that are put there.
type Change = (prop::sample::Index, usize, Vec<u8>);

fn change() -> impl Strategy<Value = Change> {
    let token = prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 1..4),
        Just(b"null".to_vec()),
        Just(b"[".to_vec()),
        Just(b"{}".to_vec()),
        Just(b"\"".to_vec()),
        Just(b"\n\n".to_vec()),
        Just(b"99999999999999999999".to_vec()),
    ];
    (any::<prop::sample::Index>(), 0usize..6, token)
}

fn damaged(stream: String, changes: Vec<Change>) -> Vec<u8> {
    let mut bytes = stream.into_bytes();
    for (place, taken, put) in changes {
        let at = place.index(bytes.len() + 1);
        let until = (at + taken).min(bytes.len());
        bytes.splice(at..until, put);
    }
    bytes
}

/// A complete reply has reported each of its calls once, with a unique id.
fn check(heard: &CollectedReply) -> Result<(), TestCaseError> {
    let ends = heard.events.iter().filter(|event| matches!(event, ReplyEvent::Done(_))).count();
    prop_assert_eq!(ends, usize::from(heard.fault.is_none()), "{:?}", heard);
    let told: Vec<_> = heard
        .events
        .iter()
        .filter_map(|event| match event {
            ReplyEvent::Call(call) => Some(call),
            _ => None,
        })
        .collect();
    let ids: BTreeSet<_> = told.iter().map(|call| call.call_id.as_str()).collect();
    prop_assert_eq!(ids.len(), told.len(), "an id twice: {:?}", heard);
    if let Some(ReplyEvent::Done(reply)) = heard.events.last() {
        let refused = matches!(reply.ending, FinishReason::Refused(_));
        prop_assert!(refused || reply.calls().count() == told.len(), "{:?}", heard);
        prop_assert_eq!(reply.ending == FinishReason::Calls, reply.calls().count() > 0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn damage_ends_in_a_reply_or_a_fault(
        parts in prop::collection::vec(part(), 0..4),
        changes in prop::collection::vec(change(), 0..4),
    ) {
        for name in TextProvider::NAMES {
            let bytes = damaged(stream(name, 1, &parts), changes.clone());
            check(&read(name, [bytes.as_slice()].into_iter()))?;
        }
    }
}
