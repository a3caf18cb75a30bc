//! Selection of the text model, by settings, options and keys.

use super::*;

fn with(keys: &'static [&'static str]) -> impl Fn(&str) -> Option<String> {
    move |name| keys.contains(&name).then(|| format!("key of {name}"))
}

fn provider(writer: Result<TextBackend, Failure>) -> (&'static str, String, Option<String>) {
    match writer.unwrap() {
        TextBackend::Offline => ("offline", String::new(), None),
        TextBackend::Provider(chosen) => (chosen.which.name(), chosen.model, chosen.key),
    }
}

#[test]
fn without_a_key_it_is_offline() {
    let settings = TextSettings::default();
    assert_eq!(settings.text_model(None, None, with(&[])).unwrap(), TextBackend::Offline);
    assert_eq!(
        settings.text_model(Some("offline"), None, with(&["OPENAI_API_KEY"])).unwrap(),
        TextBackend::Offline
    );
}

#[test]
fn the_first_key_that_is_set_decides() {
    let settings = TextSettings::default();
    let found =
        provider(settings.text_model(None, None, with(&["ANTHROPIC_API_KEY", "OPENAI_API_KEY"])));
    assert_eq!(
        found,
        ("openai", models::OPENAI_TEXT.to_owned(), Some("key of OPENAI_API_KEY".to_owned()))
    );
}

#[test]
fn a_server_of_ones_own_is_asked_and_sent_no_key_of_a_provider() {
    let place = "http://127.0.0.1:11434/v1";
    let settings = |model: &str, key: &str| TextSettings {
        model: model.to_owned(),
        base_url: place.to_owned(),
        key: key.to_owned(),
        ..TextSettings::default()
    };
    const ALL: &[&str] = &["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MINE"];
    for (keys, key, sent) in
        [(&[][..], "", None), (ALL, "", None), (ALL, "MINE", Some("key of MINE".to_owned()))]
    {
        let writer = settings("llama3", key).text_model(None, None, with(keys)).unwrap();
        let TextBackend::Provider(chosen) = writer else { panic!("offline") };
        let found = (chosen.which.name(), chosen.model.as_str(), chosen.key);
        assert_eq!(found, ("openai_chat", "llama3", sent));
        assert_eq!(chosen.base_url.as_deref(), Some(place));
    }
    let error = settings("", "").text_model(None, None, with(ALL)).unwrap_err().to_string();
    assert!(error.contains("no model of openai_chat is named; set `model` of [text]"), "{error}");
}

#[test]
fn a_key_that_could_be_anybodys_is_not_sent() {
    let settings = TextSettings { key: "MINE".to_owned(), ..TextSettings::default() };
    for keys in [&["MINE"][..], &["MINE", "GEMINI_API_KEY"]] {
        let error = settings.text_model(None, None, with(keys)).unwrap_err().to_string();
        assert!(error.contains("names MINE, but not whose key that is; set `provider`"), "{error}");
    }
}

#[test]
fn options_go_before_settings_and_take_nothing_of_another_provider() {
    let settings = TextSettings {
        provider: "openai_chat".to_owned(),
        model: "llama".to_owned(),
        base_url: "http://127.0.0.1:11434/v1".to_owned(),
        reasoning: ReasoningEffort::High,
        max_output_tokens: 500,
        ..TextSettings::default()
    };
    let chosen = |provider, model, keys| match settings.text_model(provider, model, with(keys)) {
        Ok(TextBackend::Provider(chosen)) => *chosen,
        other => panic!("{other:?}"),
    };
    let own = chosen(None, None, &[]);
    assert_eq!((own.which.name(), own.model.as_str(), own.key), ("openai_chat", "llama", None));
    assert_eq!(own.base_url.as_deref(), Some("http://127.0.0.1:11434/v1"));
    assert_eq!((own.reasoning, own.max_output_tokens), (Reasoning::High, Some(500)));
    let other = chosen(Some("gemini"), Some("g"), &["GEMINI_API_KEY"]);
    assert_eq!((other.which.name(), other.model.as_str()), ("gemini", "g"));
    let said = (other.base_url, other.reasoning, other.max_output_tokens);
    assert_eq!(said, (None, Reasoning::AsTheModelDoes, None));
}

#[test]
fn what_is_missing_is_named() {
    let settings = TextSettings::default();
    for (provider, keys, expected) in [
        ("gemini", &[][..], "gemini needs a key in the environment variable GEMINI_API_KEY"),
        ("openai_chat", &["OPENAI_API_KEY"], "no model of openai_chat is named"),
        ("bing", &[], "there is no provider \"bing\" that writes; expected auto, offline, gemini"),
    ] {
        let error = settings.text_model(Some(provider), None, with(keys)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let named =
        TextSettings { key: "MY_KEY".to_owned(), provider: "gemini".to_owned(), ..settings };
    let error = named.text_model(None, None, with(&["GEMINI_API_KEY"])).unwrap_err().to_string();
    assert!(error.contains("MY_KEY, which is not set"), "{error}");
}

#[test]
fn a_named_provider_at_another_address_is_sent_only_the_key_that_is_named() {
    let settings = |key: &str| TextSettings {
        provider: "openai".to_owned(),
        base_url: "http://127.0.0.1:9".to_owned(),
        key: key.to_owned(),
        ..TextSettings::default()
    };
    let sent =
        |key: &str| match settings(key).text_model(None, None, with(&["OPENAI_API_KEY", "MINE"])) {
            Ok(TextBackend::Provider(chosen)) => chosen.key,
            other => panic!("{other:?}"),
        };
    assert_eq!(sent(""), None);
    assert_eq!(sent("MINE"), Some("key of MINE".to_owned()));
}
