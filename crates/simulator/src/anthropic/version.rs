//! The two versions of the API, and the checks of the later one.

use super::wire::{Content, Message, Request};
use crate::http::RequestRefusal;

/// A version of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 2023-06-01.
    First,
    /// 2026-10-21.
    Second,
}

pub(super) fn of(header: Option<&str>) -> Result<Version, RequestRefusal> {
    match header {
        Some("2023-06-01") => Ok(Version::First),
        Some("2026-10-21") => Ok(Version::Second),
        Some(found) => Err(RequestRefusal::invalid(format!(
            "anthropic-version: expected 2023-06-01 or 2026-10-21, found {found}"
        ))),
        None => Err(RequestRefusal::invalid("anthropic-version: header is required")),
    }
}

/// The checks that depend on the version.
pub(super) fn check(version: Version, request: &Request) -> Result<(), RequestRefusal> {
    match version {
        Version::First => check_range("temperature", request.temperature),
        Version::Second => check_second(request),
    }
}

fn check_range(name: &str, value: Option<f64>) -> Result<(), RequestRefusal> {
    match value {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(RequestRefusal::invalid(format!("{name}: expected 0 to 1, found {value}")))
        }
        Some(_) | None => Ok(()),
    }
}

fn check_second(request: &Request) -> Result<(), RequestRefusal> {
    let given = [
        ("temperature", request.temperature.is_some()),
        ("top_p", request.top_p.is_some()),
        ("top_k", request.top_k.is_some()),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        return Err(RequestRefusal::invalid(format!("{name}: not accepted by version 2026-10-21")));
    }
    request.messages.iter().enumerate().try_for_each(|(at, message)| check_blocks(at, message))
}

fn check_blocks(at: usize, message: &Message) -> Result<(), RequestRefusal> {
    let Content::Blocks(blocks) = &message.content else { return Ok(()) };
    for (place, block) in blocks.iter().enumerate() {
        let path = format!("messages.{at}.content.{place}");
        if message.role == "assistant" && block.kind == "document" {
            return Err(RequestRefusal::invalid(format!(
                "{path}: a document must not stand in an assistant message"
            )));
        }
        let cited = block.citations.as_ref().and_then(|citations| citations.as_array());
        let cites = cited.is_some_and(|citations| !citations.is_empty());
        if message.role == "user" && block.kind == "text" && cites {
            return Err(RequestRefusal::invalid(format!(
                "{path}.citations: must be empty in a user message"
            )));
        }
    }
    Ok(())
}
