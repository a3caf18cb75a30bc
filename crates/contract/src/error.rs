//! The error table: every way a call can fail, the layer that raises it, whether a retry can help,
//! and the sentence for the model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which part of the system raises an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    Registry,
    Orchestrator,
    Handler,
}

macro_rules! error_table {
    ($($variant:ident $name:literal $layer:ident $retryable:literal $sentence:literal;)*) => {
        /// The kind of a failure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ErrorType {
            $(#[serde(rename = $name)] $variant,)*
        }

        impl ErrorType {
            /// Every kind, registry first, handler last.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The layer that raises it.
            pub const fn layer(self) -> Layer {
                match self { $(Self::$variant => Layer::$layer,)* }
            }

            /// Whether the same call may succeed later, unless the handler says otherwise.
            pub const fn retryable(self) -> bool {
                match self { $(Self::$variant => $retryable,)* }
            }

            /// The default sentence for the model.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
}

error_table! {
    Validation "VALIDATION" Registry false "The arguments do not fit the tool's parameters. Correct the listed faults and call again.";
    NotFound "NOT_FOUND" Registry false "There is no such tool. Use one of the tools you were given.";
    Internal "INTERNAL" Registry false "The tool failed unexpectedly. Do not call it again for this request; say that it did not work.";
    ModeRestricted "MODE_RESTRICTED" Orchestrator false "This tool is not available in this mode. Offer the person the mode that has it.";
    BudgetExceeded "BUDGET_EXCEEDED" Orchestrator false "No calls are left in this turn. Answer with what you have.";
    ConfirmationRequired "CONFIRMATION_REQUIRED" Orchestrator false "The person must approve this first. Ask, and wait for the answer.";
    LoopDetected "LOOP_DETECTED" Orchestrator false "You are repeating yourself. Change the approach or answer with what you have.";
    RateLimit "RATE_LIMIT" Orchestrator true "Called too often. Wait before calling again.";
    Unavailable "UNAVAILABLE" Orchestrator false "This tool is not available here and now. Go on without it.";
    Denied "DENIED" Orchestrator false "The person did not approve this. Do not try it again unless they ask.";
    Cancelled "CANCELLED" Orchestrator false "The call was cancelled before it finished.";
    OutcomeUnknown "OUTCOME_UNKNOWN" Orchestrator false "The action was begun, but whether it took effect is not known. Check before you repeat it.";
    SessionInactive "SESSION_INACTIVE" Handler false "The session has ended, so this cannot be done.";
    Transient "TRANSIENT" Handler true "A temporary failure. It may work if tried again.";
    Permanent "PERMANENT" Handler false "This cannot be done. Trying again will not help.";
    Conflict "CONFLICT" Handler false "The state has changed meanwhile. Look again before you act.";
    Auth "AUTH" Handler false "The person may not do this.";
}

impl fmt::Display for ErrorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
