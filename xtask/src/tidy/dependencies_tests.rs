//! A forbidden licence, a banned crate, a source and a wildcard are each found.

use serde_json::{Value, json};

use super::*;

fn policy() -> Policy {
    toml::from_str(&fs::read_to_string(crate::root().join(POLICY)).unwrap()).unwrap()
}

fn check(changed: Value) -> Vec<String> {
    let mut package = json!({
        "name": "it", "version": "1.0.0", "license": "MIT", "source": CRATES_IO, "dependencies": [],
    });
    for (key, value) in changed.as_object().unwrap() {
        package[key] = value.clone();
    }
    let metadata = serde_json::from_value(json!({ "packages": [package] })).unwrap();
    violations(&policy(), &metadata)
}

#[test]
fn licences_are_chosen_from_those_allowed() {
    for licence in [
        "MIT OR GPL-3.0-only",
        "Apache-2.0/GPL-3.0-only",
        "(MIT OR GPL-3.0-only) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert_eq!(check(json!({ "license": licence })), Vec::<String>::new(), "{licence}");
    }
}

#[test]
fn a_forbidden_licence_is_found() {
    for licence in [
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "MIT AND (GPL-3.0-only OR AGPL-3.0-only)",
        "Apache-2.0 WITH Classpath-exception-2.0",
        "(MIT",
        "MIT Apache-2.0",
        "",
    ] {
        let expected = format!("it 1.0.0: the licence `{licence}` is not allowed by deny.toml");
        assert_eq!(check(json!({ "license": licence })), [expected]);
    }
    assert_eq!(check(json!({ "license": null })), ["it 1.0.0: has no licence expression"]);
}

#[test]
fn a_banned_crate_is_found_with_the_reason() {
    let found = check(json!({ "name": "openssl" }));
    assert_eq!(found, ["openssl 1.0.0: is banned by deny.toml: TLS is rustls with ring"]);
}

#[test]
fn an_unknown_source_is_found() {
    for source in ["git+https://example.com/it", "registry+https://example.com/index"] {
        let expected = format!("it 1.0.0: the source {source} is not allowed by deny.toml");
        assert_eq!(check(json!({ "source": source })), [expected]);
    }
}

#[test]
fn a_wildcard_of_ours_is_found_unless_it_is_a_path() {
    let own = |path: Value| {
        check(json!({
            "source": null,
            "dependencies": [{ "name": "other", "req": "*", "path": path }],
        }))
    };
    assert_eq!(own(json!(null)), ["it 1.0.0: takes any version of other; name one"]);
    assert_eq!(own(json!("crates/other")), Vec::<String>::new());
}
