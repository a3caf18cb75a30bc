//! The text of a `$ref`: a JSON Pointer, percent-encoded.

/// The `$ref` that leads to a definition, whose place is under `$defs`.
pub(super) fn reference(pointer: &str) -> String {
    let mut reference = "#".to_owned();
    for byte in pointer.replacen("/definitions/", "/$defs/", 1).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => reference.push(byte.into()),
            b'/' | b'$' | b'_' | b'-' | b'.' | b'~' => reference.push(byte.into()),
            other => reference.push_str(&format!("%{other:02X}")),
        }
    }
    reference
}

/// The text with percent escapes decoded; none if an escape is malformed.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}
