//! Failures in plain words, for the person.

use aileron_contract::ErrorType;

use super::outcome::FailedOutcome;
use super::situation::AddressStyle;

/// The text for the person about a call that failed.
pub(super) fn explain(tool: &str, failed: &FailedOutcome, manner: AddressStyle) -> String {
    let what = tool.replace(['_', '-'], " ");
    let Some(kind) = failed.kind else {
        return format!("That did not work ({what}). {}", sentence(&failed.message));
    };
    match kind {
        ErrorType::ConfirmationRequired => confirmation(failed, manner),
        ErrorType::ModeRestricted => match manner {
            AddressStyle::Spoken => format!(
                "I cannot do that while we talk ({what}). It works in writing: say “let us continue in text”."
            ),
            AddressStyle::Written => {
                format!("I cannot do that in writing ({what}). It works in a voice conversation.")
            }
        },
        ErrorType::BudgetExceeded => {
            "I have used up the calls that one question allows, so I stop here. Ask again for more."
                .to_owned()
        }
        ErrorType::LoopDetected => {
            "I was going round in circles and was stopped. Please put it in other words.".to_owned()
        }
        ErrorType::RateLimit => format!(
            "That was asked too often in a short time ({what}). Please wait a little and try again."
        ),
        ErrorType::Unavailable => format!("That is not available here ({what})."),
        ErrorType::Denied => "You did not approve it, so nothing was done.".to_owned(),
        ErrorType::Cancelled => "It was cancelled before it was finished.".to_owned(),
        ErrorType::OutcomeUnknown => format!(
            "It was begun, but I do not know whether it took effect ({what}). Please check before we try again."
        ),
        ErrorType::Validation => format!(
            "The tool did not accept what I gave it ({what}). {}",
            sentence(&failed.message)
        ),
        ErrorType::NotFound => format!("There is no such tool here ({what})."),
        ErrorType::Internal => {
            format!("The tool failed ({what}). I will not try it again for this.")
        }
        ErrorType::SessionInactive => "The session has ended, so this cannot be done.".to_owned(),
        ErrorType::Transient => {
            format!("That failed for the moment ({what}). It may work if you ask again.")
        }
        ErrorType::Permanent => format!("That cannot be done. {}", sentence(&failed.message)),
        ErrorType::Conflict => {
            format!("Things have changed meanwhile. {}", sentence(&failed.message))
        }
        ErrorType::Auth => format!("You may not do this. {}", sentence(&failed.message)),
    }
}

fn confirmation(failed: &FailedOutcome, manner: AddressStyle) -> String {
    let what = failed
        .awaited
        .as_deref()
        .map(|what| format!(": {}", what.trim_end_matches('.')))
        .unwrap_or_default();
    let how = match manner {
        AddressStyle::Spoken => "Say yes or no when you are asked",
        AddressStyle::Written => "Approve or decline it where you are asked",
    };
    format!("This needs your approval first{what}. {how}; nothing has been done yet.")
}

/// A message as a sentence.
pub(super) fn sentence(message: &str) -> String {
    let message = message.trim().trim_end_matches('.');
    let mut letters = message.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
