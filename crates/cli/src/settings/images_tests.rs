//! Which image engine the settings mean.

use aileron_runtime::SystemClock;
use aileron_runtime::http::HttpOptions;

use super::*;

fn engine(text: &str) -> Result<bool, String> {
    let settings: ImageSettings = toml::from_str(text).unwrap();
    let web = Arc::new(HttpClient::new(HttpOptions::default()).unwrap());
    let made = settings.engine(settings.store(Shown::Here), web, Arc::new(SystemClock));
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
fn what_does_not_fit_together_is_refused() {
    for (text, expected) in [
        ("model = 'm'", "expected `model`, `url` and `key` beside the engine of a provider"),
        ("engine = 'openai'\nkey = 'NOT_SET_ANYWHERE'", "environment variable NOT_SET_ANYWHERE"),
        ("engine = 'openai'\nurl = 'nowhere'", "found one that is no URL"),
        ("engine = 'gemini'\nurl = 'http://127.0.0.1/'\nmodel = '../x'", "expected a model's name"),
    ] {
        let fault = engine(text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}
