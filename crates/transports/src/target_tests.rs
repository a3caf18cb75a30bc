//! Addresses of the providers, real and local.

use super::*;
use crate::{gemini_live, openai_realtime};

#[test]
fn the_addresses_of_the_providers() {
    let gemini = gemini_live::target(None, "k").unwrap();
    assert_eq!(
        gemini.url().as_str(),
        "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
    );
    let openai = openai_realtime::target(None, "gpt realtime&x", "k").unwrap();
    assert_eq!(openai.url().as_str(), "wss://api.openai.com/v1/realtime?model=gpt+realtime%26x");
}

#[test]
fn a_base_can_be_local_and_plain() {
    let gemini = gemini_live::target(Some("http://127.0.0.1:8765//"), "k").unwrap();
    assert!(gemini.url().as_str().starts_with("ws://127.0.0.1:8765/ws/google.ai."));
    let openai = openai_realtime::target(Some("https://localhost:8766/v1"), "m", "k").unwrap();
    assert_eq!(openai.url().as_str(), "wss://localhost:8766/v1/realtime?model=m");
    assert!(openai.is_tls() && !gemini.is_tls());
}

#[test]
fn keys_are_in_headers_and_in_nothing_that_is_shown() {
    let gemini = gemini_live::target(None, "secret-1").unwrap();
    let openai = openai_realtime::target(None, "m", "secret-2").unwrap();
    assert_eq!(gemini.request().unwrap().headers()["x-goog-api-key"], "secret-1");
    assert_eq!(openai.request().unwrap().headers()["authorization"], "Bearer secret-2");
    assert!(!format!("{gemini:?} {openai:?}").contains("secret-"));
}

#[test]
fn what_is_no_address_or_no_key_says_so() {
    let faults = ["", "localhost:80", "ftp://x", "ws://"]
        .map(|base| gemini_live::target(Some(base), "k").unwrap_err().to_string());
    insta::assert_snapshot!(faults.join("\n"));
    assert_eq!(gemini_live::target(None, "a\nb").unwrap_err(), TargetError::Key);
}
