//! Failures of a turn, with the sentence that the person reads.

use aileron_contract::text::ReplyFault;
use aileron_contract::transport::Severity;
use aileron_orchestrator::OpenError;

use super::TurnAbort;
use crate::event::{TurnFailure, TurnFailureCode};
use crate::history::HistoryError;

const UNAVAILABLE: &str = "The model could not be reached. Please try again in a moment.";
const TOO_SLOW: &str = "The model took too long to answer. Please try again in a moment.";
const REFUSED: &str =
    "The model refused the request. Please inform the operator of this assistant.";
const OVERLOADED: &str = "The model is busy at the moment. Please try again a little later.";
const CONFLICT: &str =
    "This conversation is being answered elsewhere. Please send the message again.";
const UNWRITABLE: &str = "What was said cannot be kept at the moment. Please try again later.";
/// The fault code of a model that did not reply in time.
const TIMEOUT: &str = "timeout";
const ENDED: &str = "This conversation was ended. Please begin another one.";

pub(super) fn failed(code: TurnFailureCode, sentence: &'static str, detail: String) -> TurnFailure {
    TurnFailure { code, sentence, detail }
}

pub(super) fn faulted(fault: &ReplyFault) -> TurnFailure {
    let detail = fault.to_string();
    match (fault.severity, fault.retry_after) {
        (Severity::Fatal, _) => failed(TurnFailureCode::ModelRefused, REFUSED, detail),
        (_, Some(_)) => failed(TurnFailureCode::ModelBusy, OVERLOADED, detail),
        (_, None) if fault.code == TIMEOUT => {
            failed(TurnFailureCode::ModelUnavailable, TOO_SLOW, detail)
        }
        (Severity::Retry | Severity::Ignore, None) => {
            failed(TurnFailureCode::ModelUnavailable, UNAVAILABLE, detail)
        }
    }
}

pub(super) fn not_begun(error: OpenError) -> TurnAbort {
    let (code, says) = match error {
        OpenError::Ended => (TurnFailureCode::HistoryConflict, ENDED),
        _ => (TurnFailureCode::HistoryUnwritable, UNWRITABLE),
    };
    TurnAbort::Failed(failed(code, says, error.to_string()))
}

pub(super) fn lost(error: HistoryError) -> TurnAbort {
    let detail = error.to_string();
    TurnAbort::Failed(match error {
        HistoryError::Conflict => failed(TurnFailureCode::HistoryConflict, CONFLICT, detail),
        HistoryError::Store(_) | HistoryError::Unreadable { .. } => {
            failed(TurnFailureCode::HistoryUnwritable, UNWRITABLE, detail)
        }
    })
}
