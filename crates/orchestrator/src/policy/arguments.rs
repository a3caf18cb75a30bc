//! Arguments: defaults filled, validated in full; every fault is named.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_runtime::{ArgumentFault, ArgumentFaultKind, ArgumentFaults};
use serde_json::{Value, json};

use super::{Desk, Verdict};
use crate::draft::Draft;

/// How many faults the message itself spells out; `details` has them all.
const SPELLED_OUT: usize = 8;

/// How many faults `details` lists.
const LISTED: usize = 100;

pub(super) fn check(draft: &mut Draft, _: &mut Desk<'_>) -> Verdict {
    match &draft.args {
        Ok(_) => Verdict::Pass,
        Err(rejected) => refusal(&rejected.faults),
    }
}

fn refusal(faults: &ArgumentFaults) -> Verdict {
    let shown: Vec<_> = faults.iter().take(SPELLED_OUT).map(sentence).collect();
    let more = match faults.len().saturating_sub(SPELLED_OUT) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let message = format!("the arguments do not fit: {}{more}", shown.join("; "));
    let mut failure = Failure::new(ErrorType::Validation, message);
    let listed: Vec<_> = faults.iter().take(LISTED).map(entry).collect();
    failure.details = Some(json!({ "faults": listed }));
    Verdict::Refuse(Box::new(failure))
}

fn sentence(fault: ArgumentFault<'_>) -> String {
    match fault.pointer {
        "" => fault.message.to_owned(),
        pointer => format!("{pointer}: {}", fault.message),
    }
}

fn entry(fault: ArgumentFault<'_>) -> Value {
    let mut entry = json!({ "pointer": fault.pointer, "message": fault.message });
    if let ArgumentFaultKind::NotAllowed { options } = fault.kind {
        entry["allowed"] = json!(options);
    }
    entry
}
