//! Hidden and shown values.

use super::*;

#[test]
fn passwords_and_parameters_of_addresses_are_hidden() {
    for (text, expected) in [
        ("https://ada:secret@example.com/v1", "https://***@example.com/v1"),
        ("https://example.com/v1?key=secret", "https://example.com/v1?***"),
        ("postgres://ada:s@cr@t@db/x?password=p", "postgres://***@db/x?***"),
        ("https://example.com/@ada", "https://example.com/@ada"),
        ("127.0.0.1:7272", "127.0.0.1:7272"),
        (".aileron/kb", ".aileron/kb"),
    ] {
        assert_eq!(hidden(text), expected);
    }
}
