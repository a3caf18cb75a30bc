//! One line of a script that describes an action.

use aileron_contract::CallId;

use super::front::mode;
use super::words::{only_quoted, quoted, span, word};
use crate::script::{ConfirmationRef, ProviderReport, ScriptCall, StepKind, Tools};

pub(super) fn parse(text: &str) -> Result<StepKind, String> {
    if let Some(step) = plain(text) {
        return Ok(step);
    }
    match word(text) {
        ("model", rest) => model(rest),
        ("kb", rest) => kb(rest),
        ("clock", rest) => Ok(StepKind::Clock(span(rest.strip_prefix('+').unwrap_or(rest))?)),
        ("cancel", rest) => Ok(StepKind::Cancel(id(rest)?)),
        ("records:", rest) => {
            Ok(StepKind::Records(rest.split(',').map(|record| record.trim().to_owned()).collect()))
        }
        ("event", rest) => Ok(StepKind::Event(rest.to_owned())),
        ("events", rest) => events(rest),
        ("nowhere", rest) => Ok(StepKind::Nowhere(only_quoted(rest)?)),
        ("person", rest) => person(None, rest),
        (name, rest) => person(Some(name), rest),
    }
}

/// Steps that are one fixed sentence.
fn plain(text: &str) -> Option<StepKind> {
    Some(match text {
        "interrupt" => StepKind::Interrupt,
        "restart" => StepKind::Restart(Tools::Same),
        "restart with other tools" => StepKind::Restart(Tools::Other),
        "deploy other tools" => StepKind::Deploy,
        "crash" => StepKind::Crash,
        "turn ends" => StepKind::Reported(ProviderReport::TurnEnds),
        "farewell was spoken" => StepKind::Reported(ProviderReport::FarewellSpoken),
        "voice connection ends" => StepKind::Reported(ProviderReport::VoiceConnectionEnds),
        "voice connection is back" => StepKind::Reported(ProviderReport::VoiceConnectionIsBack),
        "person leaves" => StepKind::Reported(ProviderReport::PersonLeaves),
        _ => return None,
    })
}

fn model(text: &str) -> Result<StepKind, String> {
    match word(text) {
        ("calls", rest) => Ok(StepKind::Calls(vec![call(rest)?])),
        ("starts", rest) => Ok(StepKind::Starts(vec![call(rest)?])),
        ("gets", "") => Ok(StepKind::Gets),
        ("says", rest) => only_quoted(rest).map(StepKind::ModelSays),
        ("thinks", rest) => only_quoted(rest).map(StepKind::ModelThinks),
        (other, _) => Err(format!("a model calls, starts, gets, says or thinks; found {other:?}")),
    }
}

/// `<call id> <tool> <arguments>`.
pub(super) fn call(text: &str) -> Result<ScriptCall, String> {
    let (call_id, rest) = word(text);
    let (tool, args) = word(rest);
    if tool.is_empty() {
        return Err("expected a call id, a tool and its arguments".to_owned());
    }
    let args = if args.is_empty() { "{}" } else { args };
    Ok(ScriptCall { id: id(call_id)?, tool: tool.to_owned(), args: args.to_owned() })
}

fn kb(text: &str) -> Result<StepKind, String> {
    match word(text) {
        ("holds", rest) => Ok(StepKind::Held(id(rest)?)),
        ("answers", "") => Ok(StepKind::Release),
        (other, _) => Err(format!("a knowledge base holds or answers; found {other:?}")),
    }
}

fn events(text: &str) -> Result<StepKind, String> {
    let (count, text) = word(text);
    let count = count.parse().map_err(|_| format!("expected a number, found {count:?}"))?;
    Ok(StepKind::Events { count, text: text.to_owned() })
}

fn person(who: Option<&str>, text: &str) -> Result<StepKind, String> {
    match (word(text), who) {
        (("writes", rest), None) => only_quoted(rest).map(|text| StepKind::Writes { text }),
        (("says", rest), None) => says(rest),
        (("moves", rest), None) => moves(rest),
        (("clicks", rest), who) => clicks(who, rest),
        (("opens", rest), who) => opens(who.unwrap_or("ada"), rest),
        ((other, _), _) => Err(format!(
            "a person writes, says, moves, clicks or opens; found {other:?} in {text:?}"
        )),
    }
}

fn says(text: &str) -> Result<StepKind, String> {
    let (text, rest) = quoted(text)?;
    let begun_ms_ago = match rest.strip_prefix("begun ").and_then(|it| it.strip_suffix(" ago")) {
        Some(ago) => span(ago)?,
        None if rest.is_empty() => 0,
        None => return Err(format!("expected `begun 2s ago`, found {rest:?}")),
    };
    Ok(StepKind::Says { text, begun_ms_ago })
}

fn clicks(who: Option<&str>, text: &str) -> Result<StepKind, String> {
    let (button, question) = word(text);
    let approve = match button {
        "approve" => true,
        "decline" => false,
        other => return Err(format!("the buttons are approve and decline, found {other:?}")),
    };
    let question = match question {
        "" => ConfirmationRef::Newest,
        "with a forged token" => ConfirmationRef::Forged,
        call => ConfirmationRef::Of(id(call)?),
    };
    Ok(StepKind::Clicks { who: who.map(str::to_owned), approve, question })
}

/// `in voice`, or `another conversation in voice`.
fn opens(who: &str, text: &str) -> Result<StepKind, String> {
    let (id, text) = match text.strip_prefix("another conversation ") {
        Some(rest) => (Some("another".to_owned()), rest),
        None => (None, text),
    };
    let name = text.strip_prefix("in ").ok_or("expected `in text` or `in voice`")?;
    Ok(StepKind::Opens { who: who.to_owned(), mode: mode(name)?, id })
}

/// `to voice`.
fn moves(text: &str) -> Result<StepKind, String> {
    let name = text.strip_prefix("to ").ok_or("expected `to text` or `to voice`")?;
    Ok(StepKind::Moves(mode(name)?))
}

fn id(text: &str) -> Result<CallId, String> {
    CallId::new(text).map_err(|error| format!("no call id: {error}"))
}
