//! Converts the outcome of a sandbox to the types of the runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aileron_contract::envelope::Failure;
use aileron_contract::spec::SideEffects;
use aileron_contract::{ErrorType, Intent, Outcome};
use serde::Deserialize;
use serde_json::Value;

use crate::builtin::AILERON;
use crate::{SandboxFault, ThrownToolError, UncaughtFault};
use aileron_capability::Defect;
use aileron_capability::FaultCode;
use aileron_capability::HandlerEnd;
use aileron_capability::{BROKE, Success, ToolError};

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
pub(crate) struct EffectCount(pub(crate) Arc<AtomicUsize>);

impl EffectCount {
    fn something(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }
}

/// The outcome of a sandbox. A call that was lost midway has certainly no side effects only if its
/// tool never has any.
pub(crate) fn ending(
    outcome: Result<Value, SandboxFault>,
    side_effects: SideEffects,
    done: &EffectCount,
) -> HandlerEnd {
    let fault = match outcome {
        Ok(value) => return returned(value),
        Err(fault) => fault,
    };
    let broken = |message, fault: SandboxFault| {
        HandlerEnd::broken(message, Outcome::Completed, defect(&fault))
    };
    match fault {
        SandboxFault::Thrown(thrown) => HandlerEnd::completed(Err(thrown_error(*thrown))),
        SandboxFault::Capability(uncaught) => capability_fault(*uncaught, done),
        SandboxFault::Deadline => HandlerEnd::stopped(Outcome::TimedOut),
        SandboxFault::Cancelled => HandlerEnd::stopped(Outcome::Cancelled),
        SandboxFault::OutOfMemory | SandboxFault::CpuDeadline => broken(TOO_MUCH, fault),
        SandboxFault::ResultTooLarge => broken(TOO_LARGE, fault),
        SandboxFault::BadResult(_) => broken(NOT_AN_ENVELOPE, fault),
        SandboxFault::Error { .. } => broken(BROKE, fault),
        SandboxFault::Quarantined(quarantine) => {
            let message = format!("{QUARANTINED} {} s", quarantine.seconds_left());
            HandlerEnd::not_run(ErrorType::Unavailable, &message, defect(&fault))
        }
        SandboxFault::EngineLost => HandlerEnd::not_run(ErrorType::Transient, LOST, defect(&fault)),
        SandboxFault::LostMidway => match side_effects {
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
        let fault = SandboxFault::Capability(Box::new(uncaught));
        return HandlerEnd::broken(BROKE, Outcome::Completed, defect(&fault));
    };
    let defect = uncaught_defect(&uncaught);
    let error = ToolError::new(code.error_type(), uncaught.fault.message);
    let error = match done.something() {
        true => error.retryable(false).with_partial_side_effects(),
        false => error,
    };
    HandlerEnd { result: Err(error), outcome: Outcome::Completed, defect: Some(defect) }
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
fn defect(fault: &SandboxFault) -> Defect {
    match fault {
        SandboxFault::Error { name, message, stack } => {
            Defect::quoting(thrown_at(stack), format!("{name}: {message}"))
        }
        SandboxFault::Capability(uncaught) => uncaught_defect(uncaught),
        SandboxFault::Thrown(_) | SandboxFault::BadResult(_) => {
            Defect::quoting(NOT_AN_ENVELOPE, fault.to_string())
        }
        SandboxFault::OutOfMemory
        | SandboxFault::CpuDeadline
        | SandboxFault::Deadline
        | SandboxFault::Cancelled
        | SandboxFault::ResultTooLarge
        | SandboxFault::Quarantined(_)
        | SandboxFault::EngineLost
        | SandboxFault::LostMidway => Defect::plain(fault.to_string()),
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
}

fn returned(value: Value) -> HandlerEnd {
    let read: Result<HandlerReturn, _> = serde_json::from_value(value);
    match read {
        Ok(HandlerReturn { ok: true, data, intents, error: None }) => {
            HandlerEnd::completed(Ok(Success { data, intents: intents.unwrap_or_default() }))
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
