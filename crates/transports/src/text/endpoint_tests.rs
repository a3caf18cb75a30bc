//! Addresses of every provider, with and without bases.

use super::super::{ApiKey, TextModel, TextOptions, TextProvider, anthropic};
use super::*;

fn options(name: &str, base: Option<&str>) -> TextOptions {
    let mut options = TextOptions::new(TextProvider::named(name).unwrap(), "m-1");
    options.base_url = base.map(|base| base.parse().unwrap());
    options.key = Some(ApiKey::new("k-hidden"));
    // Certificates of this machine are nothing that a test should need.
    options.tls = crate::tls(rustls::RootCertStore::empty()).ok();
    options
}

fn made(options: TextOptions) -> Endpoint {
    let place = super::super::protocol::ModelAddress {
        base: options.base_url.as_ref(),
        model: &options.model,
        key: options.key.as_ref(),
    };
    super::super::model::dialect(&options.which).endpoint(&place).unwrap()
}

fn check(name: &str, base: Option<&str>, expected: &str) {
    assert_eq!(made(options(name, base)).url.as_str(), expected);
}

#[test]
fn every_provider_has_an_address_of_its_own() {
    let google = "https://generativelanguage.googleapis.com";
    check("gemini", None, &format!("{google}/v1beta/models/m-1:streamGenerateContent?alt=sse"));
    check("openai", None, "https://api.openai.com/v1/responses");
    check("openai_chat", None, "https://api.openai.com/v1/chat/completions");
    check("anthropic", None, "https://api.anthropic.com/v1/messages");
}

#[test]
fn a_base_may_have_slashes_and_a_version() {
    let local = "http://localhost:1/v1/models/m-1:streamGenerateContent?alt=sse";
    check("gemini", Some("http://localhost:1/v1/"), local);
    let version = "http://localhost:1/v1beta/models/m-1:streamGenerateContent?alt=sse";
    check("gemini", Some("http://localhost:1"), version);
    check("anthropic", Some("http://localhost:1"), "http://localhost:1/v1/messages");
    check("anthropic", Some("http://localhost:1/v1//"), "http://localhost:1/v1/messages");
    check("anthropic", Some("http://h/gateway"), "http://h/gateway/v1/messages");
    check("openai_chat", Some("http://h:11434/v1?x=1#y"), "http://h:11434/v1/chat/completions");
}

#[test]
fn the_key_is_in_the_headers_and_shown_nowhere() {
    for name in TextProvider::NAMES {
        let model = TextModel::new(options(name, None)).unwrap();
        assert!(!format!("{model:?}").contains("k-hidden"), "{model:?}");
    }
    let header =
        |options, name| made(options).headers.get(name).unwrap().to_str().unwrap().to_owned();
    assert_eq!(header(options("gemini", None), "x-goog-api-key"), "k-hidden");
    assert_eq!(header(options("openai", None), "authorization"), "Bearer k-hidden");
    assert_eq!(header(options("anthropic", None), "authorization"), "Bearer k-hidden");
    assert_eq!(header(options("anthropic", None), "anthropic-version"), "2026-10-21");
    let older = anthropic::AnthropicOptions {
        version: "2023-06-01".into(),
        auth: anthropic::Auth::ApiKey,
        beta: Some("b".into()),
    };
    let older = || TextOptions {
        which: TextProvider::Anthropic(older.clone()),
        ..options("anthropic", None)
    };
    assert_eq!(header(older(), "x-api-key"), "k-hidden");
    assert_eq!(header(older(), "anthropic-version"), "2023-06-01");
    assert_eq!(header(older(), "anthropic-beta"), "b");
}

fn refused(options: TextOptions) -> TextError {
    TextModel::new(options).unwrap_err()
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_sent() {
    let mut keyless = options("openai", None);
    keyless.key = None;
    assert_eq!(refused(keyless.clone()), TextError::NoKey { provider: "OpenAI" });
    keyless.base_url = Some("http://localhost:11434/v1".parse().unwrap());
    TextModel::new(keyless).unwrap();
    let bad_key = TextOptions { key: Some(ApiKey::new("a\nb")), ..options("gemini", None) };
    assert_eq!(refused(bad_key), TextError::Key);
    let nameless = TextOptions { model: " ".into(), ..options("gemini", None) };
    assert_eq!(refused(nameless), TextError::NoModel);
    let scheme = refused(options("openai", Some("ftp://host/v1")));
    assert!(scheme.to_string().ends_with("it is neither http nor https"), "{scheme}");
    let password = refused(options("openai", Some("https://me:hunter2@host/v1")));
    assert!(!password.to_string().contains("hunter2"), "{password}");
}
