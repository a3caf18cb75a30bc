//! The role of a caller: which conversations they see, and whether they may act.

use aileron_orchestrator::Person;
use aileron_store::OwnerFilter;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::auth::Auth;
use crate::error::{ApiError, ApiErrorCode};

/// The scope of an operator.
const OPERATOR: &str = "operator";

/// The scope of a viewer.
const VIEWER: &str = "viewer";

const NOT_OPERATOR: &str =
    "only an operator may do this: expected the scope `operator` among those of your credentials";
const NOT_ALL: &str = "only operators and viewers see what belongs to others: expected the scope \
                       `operator` or `viewer` among those of your credentials";
const VIEWER_ONLY: &str = "a viewer may look and not act: sign in without the scope `viewer`";

/// The role of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Role {
    /// Sees their own conversations.
    Person,
    /// Sees everything, without the fields that tools hide, and changes nothing.
    Viewer,
    /// Sees the same as a viewer, and may act.
    Operator,
}

impl Role {
    /// Where people do not sign in, the person at this machine is the operator.
    pub(crate) fn of(app: &App, person: &Person) -> Self {
        let has = |wanted: &str| person.scopes.iter().any(|scope| scope == wanted);
        match app.auth() {
            Auth::Open => Self::Operator,
            Auth::Tokens(_) | Auth::Jwt(_) if has(OPERATOR) => Self::Operator,
            Auth::Tokens(_) | Auth::Jwt(_) if has(VIEWER) => Self::Viewer,
            Auth::Tokens(_) | Auth::Jwt(_) => Self::Person,
        }
    }

    /// The people of whose conversations the caller sees all.
    pub(crate) fn visible(self, person: &Person) -> OwnerFilter {
        match self {
            Self::Person => OwnerFilter::Of(person.id.clone()),
            Self::Viewer | Self::Operator => OwnerFilter::Everybody,
        }
    }

    pub(crate) fn require_operator(self) -> Result<(), ApiError> {
        match self {
            Self::Operator => Ok(()),
            Self::Viewer | Self::Person => {
                Err(ApiError::new(ApiErrorCode::OperatorOnly, NOT_OPERATOR))
            }
        }
    }

    /// Fails for callers who see only what is theirs.
    pub(crate) fn require_all(self) -> Result<(), ApiError> {
        match self {
            Self::Viewer | Self::Operator => Ok(()),
            Self::Person => Err(ApiError::new(ApiErrorCode::OperatorOnly, NOT_ALL)),
        }
    }

    /// Fails for callers who may change nothing.
    pub(crate) fn require_acting(self) -> Result<(), ApiError> {
        match self {
            Self::Operator | Self::Person => Ok(()),
            Self::Viewer => Err(ApiError::new(ApiErrorCode::ViewerOnly, VIEWER_ONLY)),
        }
    }
}
