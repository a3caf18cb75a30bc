//! Precedence of layers, and the messages about invalid values.

use super::*;

fn layers(file: &str) -> Layers {
    Settings::layered(file, Path::new("etc/aileron.toml")).unwrap()
}

fn flag(value: &str) -> Flag {
    Flag { name: "--address", key: "server.address", value: value.to_owned() }
}

fn found<'a>(layers: &'a Layers, key: &str) -> (&'a Value, String) {
    let (value, source) = &layers.values[key];
    (value, source.to_string())
}

#[test]
fn a_value_knows_where_it_is_from() {
    let layers = layers("[server]\naddress = '127.0.0.1:1'\n[store]\npath = 'x.db'");
    assert_eq!(found(&layers, "store.path"), (&json!("etc/x.db"), "etc/aileron.toml".to_owned()));
    assert_eq!(found(&layers, "server.limits.grace_seconds"), (&json!(10), "default".to_owned()));
    let layers = layers.with_flags(vec![flag("127.0.0.1:2")]).unwrap();
    let expected = (&json!("127.0.0.1:2"), "--address".to_owned());
    assert_eq!(found(&layers, "server.address"), expected);
    assert_eq!(layers.settings.server.address.port(), 2);
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_where_it_is_from() {
    let fault = layers("").with_flags(vec![flag("here")]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "error: --address: expected an address like `127.0.0.1:7272`, `localhost:7272` or `7272`, found \"here\""
    );
    for (like, text, expected) in [
        (json!(1), "many", "expected a number, found \"many\""),
        (json!(true), "yes", "expected true or false, found \"yes\""),
    ] {
        assert_eq!(read(text, &like), Err(expected.to_owned()));
    }
}

#[test]
fn values_are_read_as_the_kind_they_replace() {
    for (like, text, expected) in [
        (json!(1), "12", json!(12)),
        (json!(false), "true", json!(true)),
        (json!("a"), "12", json!("12")),
        (json!([]), "a, b,", json!(["a", "b"])),
        (json!(["x"]), "", json!([])),
    ] {
        assert_eq!(read(text, &like), Ok(expected));
    }
}

#[test]
fn every_key_has_a_variable_of_its_own() {
    let keys = layers("").values;
    let variables: BTreeSet<String> = keys.keys().map(|key| variable(key)).collect();
    assert_eq!(variables.len(), keys.len());
    assert!(variables.contains("AILERON_POLICIES_BUDGETS_TEXT_TOTAL"));
}

#[test]
fn a_misspelt_variable_is_told_from_a_strangers() {
    let layers = layers("");
    assert!(is_meant_for_us("AILERON_SERVER_ADRESS", &layers.values));
    assert!(!is_meant_for_us("AILERON_TOKENS", &layers.values));
    assert!(!is_meant_for_us("AILERON_KILLS", &layers.values));
    for misspelt in ["AILERON_SEVER_ADDRESS", "AILERON_TXT_MODEL", "AILERON_LOGS_LEVEL"] {
        assert!(is_meant_for_us(misspelt, &layers.values), "{misspelt}");
    }
    for strange in ["AILERON_TEST_CHILD", "AILERON_CRASH_STORE", "AILERON_API_KEY", "AILERON_"] {
        assert!(!is_meant_for_us(strange, &layers.values), "{strange}");
    }
    let named = self::layers("[auth.jwt]\nsecret_env = 'AILERON_AUTH_SECRET'");
    assert!(!is_meant_for_us("AILERON_AUTH_SECRET", &named.values));
    assert!(is_meant_for_us("AILERON_AUTH_SECRET", &layers.values));
    let keys = layers.values.keys().map(|key| (variable(key), key.clone())).collect();
    let fault = unknown("AILERON_SERVER_ADRESS", &keys).to_string();
    assert_eq!(
        fault,
        "error: $AILERON_SERVER_ADRESS sets nothing; did you mean $AILERON_SERVER_ADDRESS?"
    );
}
