//! Requests and answers on the wire: the part of HTTP that a load generator needs.

use memchr::memmem;

/// Both servers write header names in lower case.
const LENGTH: &[u8] = b"content-length: ";

/// The requests of one conversation in order: a turn, then as many calls as its budget allows.
#[derive(Debug)]
pub(super) struct Script {
    conversation: String,
    sent: u64,
}

/// The kind of a request; only calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Turn,
    Call,
}

/// Retrieval calls that a turn in text mode may make.
const CALLS_A_TURN: u64 = 5;

pub(super) const CREATE: &str = r#"{"mode":"text"}"#;

impl Script {
    pub(super) fn new(conversation: String) -> Self {
        Self { conversation, sent: 0 }
    }

    /// Writes the next request into `buffer`.
    pub(super) fn next(&mut self, buffer: &mut Vec<u8>) -> Kind {
        let (turn, at) = (self.sent / (CALLS_A_TURN + 1), self.sent % (CALLS_A_TURN + 1));
        self.sent += 1;
        let id = &self.conversation;
        if at == 0 {
            request(buffer, &format!("/v1/conversations/{id}/turns"), r#"{"input":"written"}"#);
            return Kind::Turn;
        }
        let body = format!(
            r#"{{"callId":"call-of-{id}-{turn}-{at}","toolId":"search_none","args":{{"query":"lighting lead {turn}-{at}","filters":{{"type":"person","tags":["team"]}},"top_k":3,"return_fields":["snippet","url"]}}}}"#
        );
        request(buffer, &format!("/v1/conversations/{id}/calls"), &body);
        Kind::Call
    }
}

pub(super) fn request(buffer: &mut Vec<u8>, path: &str, body: &str) {
    let length = body.len();
    buffer.extend_from_slice(
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .as_bytes(),
    );
}

/// The length of the answer at the beginning of `bytes`, once it is complete.
pub(super) fn whole(bytes: &[u8]) -> Result<Option<usize>, String> {
    let Some(head) = memmem::find(bytes, b"\r\n\r\n") else { return Ok(None) };
    let length = memmem::find(&bytes[..head], LENGTH).and_then(|at| {
        let digits = bytes[at + LENGTH.len()..head].split(|byte| !byte.is_ascii_digit()).next()?;
        std::str::from_utf8(digits).ok()?.parse::<usize>().ok()
    });
    let text = || String::from_utf8_lossy(&bytes[..head]);
    let length = length.ok_or_else(|| format!("expected a length, found {}", text()))?;
    Ok((bytes.len() >= head + 4 + length).then_some(head + 4 + length))
}

/// An answer of the benchmark must be a success.
pub(super) fn check(answer: &[u8]) -> Result<(), String> {
    let is_success = answer.starts_with(b"HTTP/1.1 20");
    let is_refusal = memmem::find(answer, br#""ok":false"#).is_some();
    if is_success && !is_refusal {
        return Ok(());
    }
    Err(format!("expected a success, found {}", String::from_utf8_lossy(answer)))
}
