//! The codes of refused requests. Each has one status; none is ever reused.

use axum::http::StatusCode;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $text:literal $status:ident;)*) => {
        /// Why a request is refused, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ApiErrorCode {
            $($(#[$doc])* $name,)*
        }

        impl ApiErrorCode {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code as it is sent.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            pub fn status(self) -> StatusCode {
                match self {
                    $(Self::$name => StatusCode::$status,)*
                }
            }
        }
    };
}

codes! {
    InvalidJson "INVALID_JSON" BAD_REQUEST;
    InvalidRequest "INVALID_REQUEST" BAD_REQUEST;
    Unauthenticated "UNAUTHENTICATED" UNAUTHORIZED;
    Blocked "BLOCKED" FORBIDDEN;
    /// A token that does not belong to this confirmation.
    Forged "FORGED" FORBIDDEN;
    /// The confirmation is not open in this conversation.
    NotConfirmed "NOT_CONFIRMED" FORBIDDEN;
    /// The person is not an operator.
    OperatorOnly "OPERATOR_ONLY" FORBIDDEN;
    /// The caller may look and not act.
    ViewerOnly "VIEWER_ONLY" FORBIDDEN;
    /// No rule allows the person to ask for this registry.
    RegistryNotAllowed "REGISTRY_NOT_ALLOWED" FORBIDDEN;
    HostRefused "HOST_REFUSED" FORBIDDEN;
    OriginRefused "ORIGIN_REFUSED" FORBIDDEN;
    NotFound "NOT_FOUND" NOT_FOUND;
    /// No registry of this name is offered.
    UnknownRegistry "UNKNOWN_REGISTRY" NOT_FOUND;
    MethodNotAllowed "METHOD_NOT_ALLOWED" METHOD_NOT_ALLOWED;
    BodyTooSlow "BODY_TOO_SLOW" REQUEST_TIMEOUT;
    /// Another message of the conversation is being answered.
    Busy "BUSY" CONFLICT;
    /// The call to cancel has already finished.
    AlreadyDone "ALREADY_DONE" CONFLICT;
    /// The task to cancel has ended.
    TaskEnded "TASK_ENDED" CONFLICT;
    /// The confirmation was resolved before, in another way.
    AlreadyDecided "ALREADY_DECIDED" CONFLICT;
    /// The server has no folder of tools to write to.
    NoSources "NO_SOURCES" CONFLICT;
    HistoryConflict "HISTORY_CONFLICT" CONFLICT;
    OtherMode "OTHER_MODE" CONFLICT;
    /// The settings have a fault, so the registries and rules stay as they were.
    ReloadRefused "RELOAD_REFUSED" CONFLICT;
    RegistryGone "REGISTRY_GONE" CONFLICT;
    Ended "ENDED" GONE;
    BodyTooLarge "BODY_TOO_LARGE" PAYLOAD_TOO_LARGE;
    UnsupportedMediaType "UNSUPPORTED_MEDIA_TYPE" UNSUPPORTED_MEDIA_TYPE;
    WebsocketExpected "WEBSOCKET_EXPECTED" UPGRADE_REQUIRED;
    TooManyConversations "TOO_MANY_CONVERSATIONS" TOO_MANY_REQUESTS;
    TooManyRequests "TOO_MANY_REQUESTS" TOO_MANY_REQUESTS;
    Internal "INTERNAL" INTERNAL_SERVER_ERROR;
    Unreadable "UNREADABLE" INTERNAL_SERVER_ERROR;
    ModelBusy "MODEL_BUSY" BAD_GATEWAY;
    ModelRefused "MODEL_REFUSED" BAD_GATEWAY;
    ModelUnavailable "MODEL_UNAVAILABLE" BAD_GATEWAY;
    HistoryUnwritable "HISTORY_UNWRITABLE" SERVICE_UNAVAILABLE;
    NoModel "NO_MODEL" SERVICE_UNAVAILABLE;
    Unavailable "UNAVAILABLE" SERVICE_UNAVAILABLE;
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
