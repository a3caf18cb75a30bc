//! How an address may be written.

use super::*;

#[test]
fn an_address_is_written_in_several_ways() {
    for (text, expected) in [
        ("127.0.0.1:7410", "127.0.0.1:7410"),
        ("[::1]:7410", "[::1]:7410"),
        ("0.0.0.0:80", "0.0.0.0:80"),
        ("localhost:7410", "127.0.0.1:7410"),
        ("LocalHost:0", "127.0.0.1:0"),
        ("7410", "127.0.0.1:7410"),
        ("localhost", "127.0.0.1:7272"),
        ("10.0.0.5", "10.0.0.5:7272"),
        ("::1", "[::1]:7272"),
    ] {
        assert_eq!(parse(text).map(|address| address.to_string()), Ok(expected.to_owned()));
    }
}

#[test]
fn anything_else_is_named() {
    for text in [
        "",
        ":7410",
        "example.com:80",
        "localhost:",
        "localhost:x",
        "localhost:65536",
        "99999",
        "-1",
    ] {
        assert_eq!(parse(text), Err(format!("{EXPECTED}, found {text:?}")));
    }
}
