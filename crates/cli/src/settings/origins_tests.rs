//! Parsing of origins and host names.

use super::*;

#[test]
fn pages_are_read_as_browsers_write_them() {
    for (text, expected) in [
        ("https://example.com", "https://example.com"),
        ("https://Example.COM/", "https://example.com"),
        ("https://example.com:443", "https://example.com"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://[::1]:3000/", "http://[::1]:3000"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("tauri://localhost", "tauri://localhost"),
    ] {
        assert_eq!(page(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_no_browser_sends_is_no_page() {
    for text in [
        "",
        "*",
        "null",
        "example.com",
        "localhost:3000",
        "https://",
        "https://*.example.com",
        "https://example.com/app",
        "https://example.com?x",
        "https://ada@example.com",
    ] {
        assert_eq!(page(text), None, "{text}");
    }
}

#[test]
fn names_have_neither_scheme_nor_port() {
    for (text, expected) in [
        ("Agent.LAN", Some("agent.lan")),
        ("10.0.0.7", Some("10.0.0.7")),
        ("::1", Some("::1")),
        ("[::1]", Some("::1")),
        ("", None),
        ("*", None),
        ("*.lan", None),
        ("agent.lan:8080", None),
        ("https://agent.lan", None),
        ("agent.lan/", None),
    ] {
        assert_eq!(name(text).as_deref(), expected, "{text}");
    }
}
