//! Converts the outcome of a handler to the types of the runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aileron_contract::envelope::Failure;
use aileron_contract::spec::SideEffects;
use aileron_contract::{ErrorType, Intent, Outcome};
use serde::Deserialize;
use serde_json::Value;

use super::fault::{HandlerFault, ThrownToolError, UncaughtFault, WorkerEnd};
use crate::Defect;
use crate::FaultCode;
use crate::HandlerEnd;
use crate::announcement::dropped_meta;
use crate::{BROKE, Success, ToolError};

/// The module that handlers import, whose frames are not theirs.
const AILERON: &str = "aileron";

const NOT_AN_ENVELOPE: &str = "the tool returned something that is no result";
const NEITHER: &str =
    "expected `ok: true`, or `ok: false` with an `error`, found that the tool returned neither";
const UNCAUGHT: &str = "the handler did not catch the fault of a capability";
const THREW: &str = "the handler threw something else than a `ToolError`";
const TOO_MUCH: &str = "the tool used more than it may and was stopped";
const TOO_LARGE: &str = "the tool returned more than it may";
const QUARANTINED: &str =
    "the tool is paused because earlier calls of it blocked the server; it can be called again in";
const LOST: &str = "the tool could not be run";
const READ_LOST: &str = "the tool was lost in the middle of the call";
const WRITE_LOST: &str =
    "the tool was lost in the middle of the action; whether it took effect is not known";

/// Number of side effects that the handler caused through its capabilities or may have caused.
#[derive(Debug)]
pub struct EffectCount(pub(super) Arc<AtomicUsize>);

impl EffectCount {
    fn something(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }
}

/// The end of a call. One that was lost midway has certainly no side effects only if its
/// tool never has any.
pub fn ending(
    outcome: Result<Value, HandlerFault>,
    side_effects: SideEffects,
    done: &EffectCount,
) -> HandlerEnd {
    let fault = match outcome {
        Ok(value) => return returned(value),
        Err(fault) => fault,
    };
    let broken = |message, fault: HandlerFault| {
        HandlerEnd::broken(message, Outcome::Completed, defect(&fault))
    };
    match fault {
        HandlerFault::Thrown(thrown) => HandlerEnd::completed(Err(thrown_error(*thrown))),
        HandlerFault::Capability(uncaught) => capability_fault(*uncaught, done),
        HandlerFault::Deadline => HandlerEnd::stopped(Outcome::TimedOut),
        HandlerFault::Cancelled => HandlerEnd::stopped(Outcome::Cancelled),
        HandlerFault::OutOfMemory | HandlerFault::CpuDeadline => broken(TOO_MUCH, fault),
        HandlerFault::ResultTooLarge => broken(TOO_LARGE, fault),
        HandlerFault::BadResult(_) => broken(NOT_AN_ENVELOPE, fault),
        HandlerFault::Error { .. } => broken(BROKE, fault),
        HandlerFault::Quarantined(quarantine) => {
            let message = format!("{QUARANTINED} {} s", quarantine.seconds_left());
            HandlerEnd::not_run(ErrorType::Unavailable, &message, defect(&fault))
        }
        HandlerFault::EngineLost | HandlerFault::NoWorker(_) => {
            HandlerEnd::not_run(ErrorType::Transient, LOST, defect(&fault))
        }
        HandlerFault::LostMidway | HandlerFault::WorkerEnded(_) => match side_effects {
            SideEffects::Writes => HandlerEnd::unknown(WRITE_LOST, defect(&fault)),
            SideEffects::None | SideEffects::ReadOnly => {
                HandlerEnd::not_run(ErrorType::Transient, READ_LOST, defect(&fault))
            }
        },
    }
}

/// An uncaught fault of a capability keeps its error type. The side effects before it are counted,
/// so they are reported only if there may be any; a call with possible side effects is not
/// retryable.
fn capability_fault(uncaught: UncaughtFault, done: &EffectCount) -> HandlerEnd {
    let Some(code) = FaultCode::named(&uncaught.fault.code) else {
        let fault = HandlerFault::Capability(Box::new(uncaught));
        return HandlerEnd::broken(BROKE, Outcome::Completed, defect(&fault));
    };
    let defect = uncaught_defect(&uncaught);
    let error = ToolError::new(code.error_type(), uncaught.fault.message);
    let error = match done.something() {
        true => error.retryable(false).with_partial_side_effects(),
        false => error,
    };
    let defect = Some(defect);
    HandlerEnd { result: Err(error), outcome: Outcome::Completed, defect, warnings: Vec::new() }
}

fn uncaught_defect(uncaught: &UncaughtFault) -> Defect {
    let UncaughtFault { fault, stack } = uncaught;
    let at = place(stack).map(|place| format!(" {place}")).unwrap_or_default();
    let what = format!("{UNCAUGHT} ({}){at}", fault.code);
    match fault.is_diagnosis {
        true => Defect::plain(format!("{what}: {}", fault.message)),
        false => Defect::quoting(what, fault.message.clone()),
    }
}

/// A fault for the maintainers of the tool. The thrown value counts as quoted data; its place does
/// not.
fn defect(fault: &HandlerFault) -> Defect {
    match fault {
        HandlerFault::Error { name, message, stack } => {
            Defect::quoting(thrown_at(stack), format!("{name}: {message}"))
        }
        HandlerFault::Capability(uncaught) => uncaught_defect(uncaught),
        HandlerFault::Thrown(_) | HandlerFault::BadResult(_) => {
            Defect::quoting(NOT_AN_ENVELOPE, fault.to_string())
        }
        HandlerFault::OutOfMemory
        | HandlerFault::CpuDeadline
        | HandlerFault::Deadline
        | HandlerFault::Cancelled
        | HandlerFault::ResultTooLarge
        | HandlerFault::Quarantined(_)
        | HandlerFault::EngineLost
        | HandlerFault::NoWorker(_)
        | HandlerFault::LostMidway => Defect::plain(fault.to_string()),
        HandlerFault::WorkerEnded(WorkerEnd { why, output }) => match output.is_empty() {
            true => Defect::plain(why.clone()),
            false => Defect::quoting(format!("{why} after it wrote"), output.clone()),
        },
    }
}

fn thrown_at(stack: &str) -> String {
    match place(stack) {
        Some(place) => format!("{THREW} {place}"),
        None => THREW.to_owned(),
    }
}

/// The innermost stack frame in a module of the tool. Frames of the sandbox's modules (names in
/// angle brackets), of `aileron` and of built-ins are skipped.
fn place(stack: &str) -> Option<&str> {
    let mut frames = stack.lines().map(str::trim).filter(|line| line.starts_with("at "));
    frames.find(|frame| {
        let file = frame.rsplit(['(', ' ']).next().unwrap_or_default().trim_end_matches(')');
        let (path, line) = file.split_once(':').unwrap_or((file, ""));
        let is_numbered = line.starts_with(|digit: char| digit.is_ascii_digit());
        is_numbered && !path.starts_with('<') && path != AILERON
    })
}

/// The allowed results of `execute`.
#[derive(Deserialize)]
struct HandlerReturn {
    ok: bool,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    intents: Option<Vec<Intent>>,
    #[serde(default)]
    error: Option<ThrownToolError>,
    #[serde(default)]
    meta: Value,
}

fn returned(value: Value) -> HandlerEnd {
    let read: Result<HandlerReturn, _> = serde_json::from_value(value);
    match read {
        Ok(HandlerReturn { ok: true, data, intents, error: None, meta }) => {
            let intents = intents.unwrap_or_default();
            let end = HandlerEnd::completed(Ok(Success { data, intents }));
            HandlerEnd { warnings: dropped_meta(&meta).into_iter().collect(), ..end }
        }
        Ok(HandlerReturn { ok: false, error: Some(thrown), .. }) => {
            HandlerEnd::completed(Err(thrown_error(thrown)))
        }
        Ok(_) => no_envelope(Defect::plain(NEITHER)),
        Err(error) => no_envelope(Defect::quoting(NOT_AN_ENVELOPE, error.to_string())),
    }
}

fn no_envelope(defect: Defect) -> HandlerEnd {
    HandlerEnd::broken(NOT_AN_ENVELOPE, Outcome::Completed, defect)
}

fn thrown_error(thrown: ThrownToolError) -> ToolError {
    let plain = Failure::new(thrown.kind, thrown.message);
    ToolError::from(Failure {
        retryable: thrown.retryable.unwrap_or(plain.retryable),
        partial_side_effects: thrown.partial_side_effects.unwrap_or(false),
        idempotency_required: thrown.idempotency_required.unwrap_or(false),
        suggestion: thrown.suggestion,
        details: thrown.details,
        ..plain
    })
}
