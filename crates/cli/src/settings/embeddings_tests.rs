//! Which engine the settings mean, and where its key comes from.

use super::*;

fn settings(text: &str) -> EmbeddingSettings {
    toml::from_str(text).unwrap()
}

fn model(text: &str) -> Result<Option<String>, String> {
    let made =
        settings(text).embedder(Path::new("models")).map_err(|failure| failure.to_string())?;
    Ok(made.map(|embedder| embedder.model().name.clone()))
}

fn fault(text: &str) -> String {
    model(text).unwrap_err()
}

#[test]
fn the_engine_is_the_one_that_is_named() {
    assert_eq!(model(""), Ok(Some("static-256".into())));
    assert_eq!(model("engine = 'none'"), Ok(None));
    assert_eq!(model("engine = 'minilm'"), Ok(Some("minilm-256".into())));
    let own = "engine = 'openai'\nurl = 'http://127.0.0.1:9/v1'\nmodel = 'm'\n";
    assert_eq!(model(&format!("{own}dimensions = 8")), Ok(Some("openai/m/8".into())));
    assert_eq!(model(&format!("{own}shorten_to = 4")), Ok(Some("openai/m/4".into())));
    let gemini = "engine = 'gemini'\nurl = 'http://127.0.0.1:9/v1beta'";
    assert_eq!(model(gemini), Ok(Some("gemini/gemini-embedding-2/3072".into())));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let alone = "error: [kb.embeddings] cannot be used: \
                 expected `engine` alone, or the engine of a provider beside the rest";
    assert_eq!(fault("model = 'x'"), alone);
    assert_eq!(fault("engine = 'none'\ndimensions = 3"), alone);
    assert_eq!(fault("engine = 'minilm'\nurl = 'http://127.0.0.1:9/v1'"), alone);
    let length = "expected `dimensions`, the length of the vectors that m makes";
    assert!(
        fault("engine = 'openai'\nurl = 'http://127.0.0.1:9/v1'\nmodel = 'm'").ends_with(length)
    );
    assert!(fault("engine = 'openai'\nurl = 'nowhere'").contains("found one that is no URL"));
}

fn secret(text: &str, environment: &[(&str, &str)]) -> Result<Option<ApiKey>, String> {
    let found = |name: &str| {
        let value = environment.iter().find(|(known, _)| *known == name);
        value.map(|(_, value)| (*value).to_owned())
    };
    settings(text).secret(&OPENAI, found).map_err(|failure| failure.to_string())
}

#[test]
fn the_key_comes_from_the_variable_that_is_named() {
    let environment = [("OPENAI_API_KEY", "usual"), ("MINE", "mine"), ("EMPTY", "")];
    assert_eq!(secret("", &environment), Ok(Some(ApiKey::new("usual"))));
    assert_eq!(secret("key = 'MINE'", &environment), Ok(Some(ApiKey::new("mine"))));
    assert_eq!(secret("url = 'http://127.0.0.1/'", &[]), Ok(None));
    assert_eq!(secret("url = 'http://127.0.0.1/'", &environment), Ok(None));
    for text in ["key = 'EMPTY'", "key = 'EMPTY'\nurl = 'http://127.0.0.1/'"] {
        let fault = secret(text, &environment).unwrap_err();
        assert!(fault.ends_with("expected a key in the environment variable EMPTY, found none"));
    }
    assert!(secret("", &[]).unwrap_err().contains("OPENAI_API_KEY"));
}
