//! The encodings in which a service may echo a value: plain, escaped for JSON, a JSON Pointer or a
//! URL, hexadecimal, and Base64, alone or inside a longer text.

use base64_simd::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::Value;

/// A shorter part of a Base64 text would match by chance.
const SHORTEST_BASE64: usize = 8;

/// The spellings of a value, each once, longest first.
pub(super) fn spellings(value: &str) -> Vec<String> {
    let mut all = vec![value.to_owned(), json_escaped(value)];
    all.extend([percent_encoded(value, |byte| format!("%{byte:02X}")), {
        percent_encoded(value, |byte| format!("%{byte:02x}"))
    }]);
    all.push(all[2].replace("%20", "+"));
    all.push(value.replace('~', "~0").replace('/', "~1"));
    all.push(value.bytes().map(|byte| format!("{byte:02x}")).collect());
    all.extend((0..3).flat_map(|offset| base64_parts(value, offset)));
    all.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    all.dedup();
    all
}

fn json_escaped(value: &str) -> String {
    let text = Value::from(value).to_string();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value).to_owned()
}

fn percent_encoded(value: &str, escaped: impl Fn(u8) -> String) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let written = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { escaped(byte) };
    value.bytes().map(written).collect()
}

/// The Base64 characters of the value that do not depend on the bytes around it, after `offset`
/// other bytes.
fn base64_parts(value: &str, offset: usize) -> Vec<String> {
    let bytes: Vec<u8> = std::iter::repeat_n(0, offset).chain(value.bytes()).collect();
    // Each character has six bits: characters that share bits with the bytes before or after are
    // left out.
    let (first, last) = ((offset * 8).div_ceil(6), bytes.len() * 8 / 6);
    let part = |text: String| text.get(first..last).map(str::to_owned);
    let parts = [
        part(STANDARD_NO_PAD.encode_to_string(&bytes)),
        part(URL_SAFE_NO_PAD.encode_to_string(&bytes)),
    ];
    parts.into_iter().flatten().filter(|part| part.len() >= SHORTEST_BASE64).collect()
}
