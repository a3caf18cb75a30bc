//! Tables, texts, and the messages about wrong ones.

use super::*;
use crate::settings::Settings;

fn read(text: &str) -> Result<Vec<RegistrySettings>, String> {
    let settings = Settings::read(text, Path::new("etc/aileron.toml"));
    settings.map(|it| it.server.registries).map_err(|failure| failure.to_string())
}

fn one(name: &str, path: &str, tools: &str) -> RegistrySettings {
    RegistrySettings { name: name.to_owned(), path: path.into(), tools: tools.into() }
}

#[test]
fn a_registry_is_a_table_or_a_text() {
    let text = "[[server.registries]]\nname = 'blue'\npath = 'b.json'\ntools = 'blue-tools'\n\
                [[server.registries]]\nname = 'green'\npath = '/g'";
    let expected = vec![one("blue", "etc/b.json", "etc/blue-tools"), one("green", "/g", "")];
    assert_eq!(read(text), Ok(expected));
    let text = "[server]\nregistries = ['blue=b.json']";
    assert_eq!(read(text), Ok(vec![one("blue", "etc/b.json", "")]));
    assert_eq!(RegistrySettings::named("./a=b.json"), None);
    assert_eq!(RegistrySettings::named("b.json"), None);
    assert_eq!(RegistrySettings::named("=b.json"), None);
}

#[test]
fn faults_are_named() {
    for (text, expected) in [
        ("[server]\nregistries = ['b.json']", "expected `name=path`, found \"b.json\""),
        ("[[server.registries]]\nname = 'blue'", "missing field `path`"),
        ("[[server.registries]]\nname = 'a'\npath = 'b'\nurl = 'c'", "unknown field `url`"),
        (
            "[[server.assignment]]\nregistry = 'a'\npercent = 101",
            "expected a percentage from 0 to 100",
        ),
        ("[[server.assignment]]\nregistry = 'a'\nuser = ['ada']", "unknown field `user`"),
    ] {
        let fault = read(text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
    let registries = [one("blue", "b", ""), one("blue", "c", ""), one("Blue", "", "")];
    assert_eq!(
        faults(&registries),
        [
            "[[server.registries]]: expected each name once, found \"blue\" again",
            "[[server.registries]]: expected a name of 1 to 40 small letters, digits, `-` and `_`, found \"Blue\"",
            "[[server.registries]] \"Blue\": expected a folder of tools or a built artifact in `path`, found nothing",
        ]
    );
}
