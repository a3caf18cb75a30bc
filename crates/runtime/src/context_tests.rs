//! What a handler is told that asks for more than its tool declares.

use aileron_contract::Mode;

use super::*;
use crate::clock::ManualClock;
use crate::memory::{RecordingConversation, caller};

fn context(declared: &[Capability]) -> Context {
    let surroundings = Surroundings {
        caller: caller::of("c"),
        platform: Arc::default(),
        conversation: Arc::new(RecordingConversation::new(Mode::Text)),
        clock: Arc::new(ManualClock::at(0)),
        deadline: 1000,
        cancel: CancellationToken::new(),
        user: None,
        depth: 0,
    };
    Context::new(declared.into(), surroundings)
}

#[test]
fn a_capability_that_is_not_declared_is_named_as_it_would_be_declared() {
    let context = context(&[Capability::Secret("OTHER".to_owned())]);
    let undeclared = |name| format!("the tool does not declare the capability `{name}`");
    let secret = context.secret("Api_Key").unwrap_err();
    assert_eq!(secret.message, undeclared("secret:Api_Key"));
    assert_eq!(context.kb().map(drop).unwrap_err().message, undeclared("kb"));
    assert_eq!(context.secret("OTHER").unwrap_err().message, "the secret `OTHER` is not set");
}

#[test]
fn every_capability_is_read_back_from_its_name() {
    for name in [
        "messaging",
        "voice",
        "audio",
        "audit",
        "kb",
        "calendar",
        "images",
        "tools",
        "http:api.example.com",
        "secret:API_KEY",
    ] {
        assert_eq!(name.parse::<Capability>().map(|read| read.to_string()), Ok(name.to_owned()));
    }
}
