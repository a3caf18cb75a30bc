//! The block at the front: `mode`, `person`, `scopes`, `claims`, `readers` and `covers`.

use aileron_contract::{Mode, UserId};
use serde_json::{Map, Value};

use super::ParseError;
use crate::script::{Person, ScriptClaim};

pub(super) struct ScriptHeader {
    pub(super) mode: Mode,
    pub(super) person: Person,
    pub(super) readers: Map<String, Value>,
    pub(super) covers: Vec<ScriptClaim>,
}

type Lines<'a, 'b> = &'b [(usize, &'a str)];

/// The block and the lines after it.
pub(super) fn parse<'a, 'b>(
    lines: Lines<'a, 'b>,
) -> Result<(ScriptHeader, Lines<'a, 'b>), ParseError> {
    let at = |line| move |why: String| ParseError { line, why };
    let body = lines.strip_prefix(&[(1, "---")]);
    let body = body.ok_or_else(|| at(1)("expected `---`".to_owned()))?;
    let end = body.iter().position(|(_, text)| *text == "---");
    let end = end.ok_or_else(|| at(1)("the block at the front has no end".to_owned()))?;
    let id = Some(known("ada").map_err(at(1))?);
    let person = Person { id, scopes: Vec::new(), claims: Map::new() };
    let mut front =
        ScriptHeader { mode: Mode::Text, person, readers: Map::new(), covers: Vec::new() };
    for (line, text) in &body[..end] {
        field(&mut front, text).map_err(at(*line))?;
    }
    Ok((front, &body[end + 1..]))
}

fn field(front: &mut ScriptHeader, text: &str) -> Result<(), String> {
    let (name, value) = text.split_once(':').ok_or("expected `name: value`")?;
    let value = value.trim();
    let items = value.split(',').map(str::trim).filter(|item| !item.is_empty());
    match name.trim() {
        "mode" => front.mode = mode(value)?,
        "person" if value == "nobody" => front.person.id = None,
        "person" => front.person.id = Some(known(value)?),
        "scopes" => front.person.scopes = items.map(str::to_owned).collect(),
        "claims" => front.person.claims = object(value)?,
        "readers" => front.readers = object(value)?,
        "covers" => {
            for item in items {
                front.covers.push(claim(item)?);
            }
        }
        other => return Err(format!("there is no field {other:?}")),
    }
    Ok(())
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("expected an object: {error}"))
}

pub(super) fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "text" => Ok(Mode::Text),
        "voice" => Ok(Mode::Voice),
        other => Err(format!("expected text or voice, found {other:?}")),
    }
}

fn known(name: &str) -> Result<UserId, String> {
    UserId::new(name).map_err(|error| error.to_string())
}

fn claim(text: &str) -> Result<ScriptClaim, String> {
    let (kind, name) = text.split_once(' ').unwrap_or((text, ""));
    let name = name.trim().to_owned();
    match kind {
        _ if name.is_empty() => Err(format!("expected a name after {kind:?}")),
        "policy" => Ok(ScriptClaim::Policy(name)),
        "error" => Ok(ScriptClaim::Error(name)),
        "outcome" => Ok(ScriptClaim::Outcome(name)),
        "row" => Ok(ScriptClaim::Row(name)),
        other => Err(format!("expected policy, error, outcome or row, found {other:?}")),
    }
}
