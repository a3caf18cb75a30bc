//! Selection of the voice provider, by settings and environment.

use super::*;

const OFFLINE: &str = "http://127.0.0.1:1";

fn chosen(text: &str, keys: &[&str]) -> Result<(String, Vec<String>), String> {
    let settings: VoiceSettings = toml::from_str(text).unwrap();
    let environment = |name: &str| keys.contains(&name).then(|| "secret".to_owned());
    let (usual, known) =
        settings.choose(OFFLINE, &environment).map_err(|failure| failure.to_string())?;
    Ok((usual.to_owned(), known.into_iter().map(|(name, _)| name).collect()))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn without_a_key_the_voice_is_the_one_that_is_built_in() {
    assert_eq!(chosen("", &[]), Ok(("offline".into(), names(&["offline"]))));
}

#[test]
fn the_first_that_has_a_key_is_the_usual_one() {
    let both = names(&["offline", "gemini", "openai"]);
    assert_eq!(chosen("", &["OPENAI_API_KEY", "GEMINI_API_KEY"]), Ok(("gemini".into(), both)));
    let one = names(&["offline", "openai"]);
    assert_eq!(chosen("", &["OPENAI_API_KEY"]), Ok(("openai".into(), one.clone())));
    assert_eq!(chosen("provider = 'offline'", &["OPENAI_API_KEY"]), Ok(("offline".into(), one)));
}

#[test]
fn a_provider_that_is_chosen_must_have_a_key_or_an_address() {
    let expected = "error: [voice] cannot be used: \
                    expected a key in the environment variable MINE, found none";
    let fault = chosen("provider = 'gemini'\n[gemini]\nkey = 'MINE'", &["GEMINI_API_KEY"]);
    assert_eq!(fault, Err(expected.to_owned()));
    let own = "provider = 'openai'\n[openai]\nbase_url = 'http://127.0.0.1:9'";
    assert_eq!(chosen(own, &[]), Ok(("openai".into(), names(&["offline", "openai"]))));
}

#[test]
fn the_key_of_a_provider_is_not_sent_to_another_server() {
    let key = |text: &str| {
        let settings: VoiceSettings = toml::from_str(text).unwrap();
        settings.openai.provider(&|name| Some(format!("key of {name}"))).unwrap().key
    };
    assert_eq!(key(""), ApiKey::new("key of OPENAI_API_KEY".to_owned()));
    let own = "[openai]\nbase_url = 'http://127.0.0.1:9'\n";
    assert_eq!(key(own), ApiKey::new(String::new()));
    assert_eq!(key(&format!("{own}key = 'MINE'")), ApiKey::new("key of MINE".to_owned()));
}

#[test]
fn what_is_set_reaches_the_provider() {
    let text = "[gemini]\nmodel = 'm'\nvoice = 'v'\nlanguage = 'de-DE'\nwindow_tokens = 7\n\
                silence_ms = 300\nsensitivity = 'low'";
    let settings: VoiceSettings = toml::from_str(text).unwrap();
    let provider = settings.gemini.provider(&|_| Some("secret".into())).unwrap();
    assert_eq!((provider.model.as_str(), provider.window_tokens), ("m", 7));
    assert_eq!((provider.voice.as_deref(), provider.language.as_deref()), {
        (Some("v"), Some("de-DE"))
    });
    let detection = TurnDetection::Automatic {
        silence_ms: Some(300),
        padding_ms: None,
        sensitivity: Some(Sensitivity::Low),
    };
    assert_eq!(provider.turn_detection, detection);
}

#[test]
fn the_limits_are_those_of_the_server_unless_they_are_set() {
    assert_eq!(limits(""), Ok(VoiceSessionLimits::default()));
    let expected =
        VoiceSessionLimits { connections: 3, idle_ms: 5000, ..VoiceSessionLimits::default() };
    assert_eq!(limits("[limits]\nconnections = 3\nidle_seconds = 5"), Ok(expected));
}

fn limits(text: &str) -> Result<VoiceSessionLimits, String> {
    let settings: VoiceSettings = toml::from_str(text).unwrap();
    settings.limits(Deadline { max_ms: 20_000 }).map_err(|failure| failure.to_string())
}

#[test]
fn the_end_of_a_session_waits_longer_than_any_call_may_take() {
    let expected = "error: [voice] cannot be used: expected `limits.settle_seconds` of 21 or more, so \
                    that the end of a session waits for any call that runs \
                    ([policies.deadlines.voice] max_ms is 20000); found 20";
    assert_eq!(limits("[limits]\nsettle_seconds = 20"), Err(expected.to_owned()));
    assert_eq!(limits("[limits]\nsettle_seconds = 21").map(|limits| limits.settle_ms), Ok(21_000));
}
