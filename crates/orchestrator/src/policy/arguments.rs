//! Arguments: defaults filled, validated in full; every fault is named.

use aileron_capability::envelope::{CUT, MAX_FAULTS_CHARS};
use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_runtime::{ArgumentFault, ArgumentFaultKind, ArgumentFaults};
use serde_json::{Value, json};

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;

/// How many faults the message lists; `details` has them all.
const SPELLED_OUT: usize = 8;

/// How many characters of `details` are reserved for the note about a truncated list.
const ABOUT_THE_LIST: usize = 400;

/// A longer entry is listed without its allowed values if it does not fit.
const LONG_ENTRY: usize = 1_000;

const VALUES_LEFT_OUT: &str = "Long lists of allowed values are left out.";

pub(super) fn check(candidate: &mut CandidateCall, _: &PolicyContext<'_>) -> PolicyResult {
    match &candidate.args {
        Ok(_) => PolicyResult::PASS,
        Err(rejected) => refusal(&rejected.faults),
    }
}

fn refusal(faults: &ArgumentFaults) -> PolicyResult {
    let shown: Vec<_> = faults.iter().take(SPELLED_OUT).map(sentence).collect();
    let more = match faults.len().saturating_sub(SPELLED_OUT) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let message = format!("the arguments do not fit: {}{more}", shown.join("; "));
    let mut failure = Failure::new(ErrorType::Validation, message);
    failure.details = Some(details(faults));
    PolicyResult::refused(failure)
}

fn sentence(fault: ArgumentFault<'_>) -> String {
    match fault.pointer {
        "" => fault.message.to_owned(),
        pointer => format!("{pointer}: {}", fault.message),
    }
}

/// The faults that fit, each as a whole, and their total number.
fn details(faults: &ArgumentFaults) -> Value {
    let mut left = MAX_FAULTS_CHARS - ABOUT_THE_LIST;
    let mut listed = Vec::new();
    let mut values_left_out = false;
    for fault in faults.iter() {
        let plain = json!({ "pointer": fault.pointer, "message": fault.message });
        let whole = with_allowed_values(plain.clone(), fault);
        let chars = length(&whole);
        if take(&mut left, chars) {
            listed.push(whole);
        } else if chars > LONG_ENTRY && take(&mut left, length(&plain)) {
            values_left_out = true;
            listed.push(plain);
        } else {
            break;
        }
    }
    let cut = cut(faults.len() - listed.len(), faults.len(), values_left_out);
    let mut details = json!({ "faults": listed, "total": faults.len() });
    if let Some(cut) = cut {
        details[CUT] = json!(cut);
    }
    details
}

fn with_allowed_values(mut entry: Value, fault: ArgumentFault<'_>) -> Value {
    if let ArgumentFaultKind::NotAllowed { options } = fault.kind {
        entry["allowed"] = json!(options);
    }
    entry
}

/// The length of an entry with the comma after it.
fn length(entry: &Value) -> usize {
    entry.to_string().chars().count() + 1
}

/// Reserves this many characters, if that many are left.
fn take(left: &mut usize, chars: usize) -> bool {
    let rest = left.checked_sub(chars);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// The note about a truncated list.
fn cut(hidden: usize, total: usize, values_left_out: bool) -> Option<String> {
    let faults = (hidden > 0).then(|| {
        format!("{hidden} of {total} faults are not shown: correct these and call again.")
    });
    let values = values_left_out.then(|| VALUES_LEFT_OUT.to_owned());
    let sentences: Vec<_> = faults.into_iter().chain(values).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
