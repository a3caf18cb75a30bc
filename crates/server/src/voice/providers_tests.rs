//! Which provider is meant.

use super::*;

fn providers(usual: &str, known: Vec<(&str, Provider)>) -> Result<Providers, ProvidersError> {
    let known = known.into_iter().map(|(name, provider)| (name.to_owned(), provider));
    Providers::trusting(usual, known, tls(RootCertStore::empty()).unwrap())
}

fn gemini() -> Provider {
    Provider::new(
        VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default()),
        "m",
        ApiKey::new("sk-secret"),
    )
}

#[test]
fn the_usual_one_is_taken_when_none_is_named() {
    let openai = VoiceProvider::Openai(openai_realtime::OpenaiRealtimeOptions::default());
    let openai = Provider::new(openai, "m", ApiKey::default());
    let providers = providers("gemini", vec![("gemini", gemini()), ("openai", openai)]).unwrap();
    let named = |name| providers.find(name).map(|(name, _)| name.to_owned());
    assert_eq!(named(None).as_deref(), Some("gemini"));
    assert_eq!(named(Some("openai")).as_deref(), Some("openai"));
    assert_eq!(named(Some("nobody")), None);
    assert_eq!(providers.names().collect::<Vec<_>>(), ["gemini", "openai"]);
}

#[test]
fn what_cannot_be_reached_is_told_before_anybody_calls() {
    let error = providers("openai", vec![("gemini", gemini())]).unwrap_err();
    let expected = "expected a voice provider that is set up, found \"openai\"";
    assert_eq!(error.to_string(), expected);
    let lost = Provider { base_url: Some("nowhere".into()), ..gemini() };
    let error = providers("gemini", vec![("gemini", lost)]).unwrap_err().to_string();
    assert!(error.starts_with("voice provider \"gemini\": expected an address"), "{error}");
}

#[test]
fn no_log_shows_a_key() {
    assert!(!format!("{:?}", gemini()).contains("sk-secret"));
}
