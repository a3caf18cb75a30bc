//! A key goes only where it was named for.

use super::*;

const OWN: &str = "https://api.example.com/v1";

fn key(url: &str, named: &str) -> Result<Option<String>, String> {
    let environment = |name: &str| match name {
        "USUAL" => Some("usual".to_owned()),
        "MINE" => Some("mine".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    };
    find(ProviderAddress { url, usual_url: OWN }, named, "USUAL", environment)
}

#[test]
fn the_usual_key_goes_to_the_providers_own_address_alone() {
    let usual = Ok(Some("usual".to_owned()));
    assert_eq!(key("", ""), usual);
    assert_eq!(key("https://api.example.com/v1/", ""), usual);
    for other in [
        "http://127.0.0.1:9/v1",
        "https://api.example.com.evil.org/v1",
        "https://api.example.com/v2",
    ] {
        assert_eq!(key(other, ""), Ok(None), "{other}");
    }
}

#[test]
fn a_key_that_is_named_goes_where_it_is_named() {
    assert_eq!(key("http://127.0.0.1:9/v1", "MINE"), Ok(Some("mine".to_owned())));
    assert_eq!(key("http://127.0.0.1:9/v1", "USUAL"), Ok(Some("usual".to_owned())));
    for (url, named) in [("", "EMPTY"), ("http://127.0.0.1:9/v1", "NOWHERE")] {
        let expected = format!("expected a key in the environment variable {named}, found none");
        assert_eq!(key(url, named), Err(expected));
    }
}
