//! Which image engine the settings mean.

use aileron_capability::SystemClock;
use aileron_capability::http::HttpOptions;

use super::*;

fn engine(text: &str) -> Result<bool, String> {
    engine_with(text, &HttpSettings::default())
}

fn engine_with(text: &str, http: &HttpSettings) -> Result<bool, String> {
    let settings: ImageSettings = toml::from_str(text).unwrap();
    let web = Arc::new(aileron_http::client(HttpOptions::default()).unwrap());
    let made =
        settings.engine(settings.store(ImageDisplay::Here), http, web, Arc::new(SystemClock));
    made.map(|engine| engine.is_some()).map_err(|failure| failure.to_string())
}

#[test]
fn the_engine_is_the_one_that_is_named() {
    assert_eq!(engine(""), Ok(true));
    assert_eq!(engine("engine = 'none'"), Ok(false));
    assert_eq!(engine("engine = 'openai'\nurl = 'http://127.0.0.1:9/v1'"), Ok(true));
    assert_eq!(
        engine("engine = 'gemini'\nurl = 'http://127.0.0.1:9/v1beta'\nmodel = 'm'"),
        Ok(true)
    );
}

#[test]
fn a_key_goes_without_tls_only_to_this_machine_and_where_it_is_allowed() {
    let at = |host: &str| format!("engine = 'openai'\nurl = 'http://{host}:80/v1'\nkey = 'PATH'");
    let allowed = HttpSettings { allow_plain: vec!["images.lan".to_owned()], ..Default::default() };
    for (host, is_fine) in [("localhost", true), ("images.lan", true), ("other.lan", false)] {
        assert_eq!(engine_with(&at(host), &allowed).is_ok(), is_fine, "{host}");
    }
    // Without a key there is nothing to read.
    let keyless = "engine = 'gemini'\nurl = 'http://other.lan/v1beta'\nmodel = 'm'";
    assert_eq!(engine(keyless), Ok(true));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    for (text, expected) in [
        ("model = 'm'", "expected `model`, `url` and `key` beside the engine of a provider"),
        ("engine = 'openai'\nkey = 'NOT_SET_ANYWHERE'", "environment variable NOT_SET_ANYWHERE"),
        ("engine = 'openai'\nurl = 'nowhere'", "found one that is no URL"),
        // Any variable that is set will do for a key.
        (
            "engine = 'openai'\nurl = 'http://example.com/v1'\nkey = 'PATH'",
            "expected https, found http",
        ),
        ("engine = 'gemini'\nurl = 'http://127.0.0.1/'\nmodel = '../x'", "expected a model's name"),
    ] {
        let fault = engine(text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn the_key_of_a_provider_is_not_sent_to_another_server() {
    let secret = |text: &str| {
        let settings: ImageSettings = toml::from_str(text).unwrap();
        settings.secret(&OPENAI, |name| Some(format!("key of {name}"))).map_err(|it| it.to_string())
    };
    assert_eq!(secret(""), Ok(Some("key of OPENAI_API_KEY".to_owned())));
    assert_eq!(secret("url = 'http://127.0.0.1/'"), Ok(None));
    assert_eq!(
        secret("url = 'http://127.0.0.1/'\nkey = 'MINE'"),
        Ok(Some("key of MINE".to_owned()))
    );
}
