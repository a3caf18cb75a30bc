//! Secrets are found by exact name and never printed.

use std::collections::BTreeMap;
use std::env;

use super::{EnvironmentSecrets, FixedSecrets, Secrets};

fn fixed() -> FixedSecrets {
    FixedSecrets::new(BTreeMap::from([("API_KEY".to_owned(), "sesame".to_owned())]))
}

#[test]
fn a_fixed_secret_is_found_by_its_exact_name() {
    assert_eq!(fixed().secret("API_KEY").as_deref(), Some("sesame"));
    for name in ["", "api_key", "API_KEY ", "API"] {
        assert_eq!(fixed().secret(name), None, "{name:?}");
    }
}

#[test]
fn an_environment_secret_is_the_variable_of_that_name() {
    assert_eq!(EnvironmentSecrets.secret("PATH"), env::var("PATH").ok());
    for name in ["", "AILERON_NO_SUCH_SECRET", "PATH=", "PA\0TH"] {
        assert_eq!(EnvironmentSecrets.secret(name), None, "{name:?}");
    }
}

#[test]
fn debug_shows_names_and_no_value() {
    let shown = format!("{:?} {EnvironmentSecrets:?}", fixed());
    assert_eq!(shown, r#"FixedSecrets { names: ["API_KEY"], .. } EnvironmentSecrets"#);
}
