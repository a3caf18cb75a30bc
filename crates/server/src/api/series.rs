//! The time series, for operators and viewers.

use aileron_orchestrator::Person;
use axum::extract::State;
use serde::Deserialize;

use super::request::Query;
use crate::app::App;
use crate::auth::Auth;
use crate::error::{ApiError, ApiErrorCode};
use crate::metrics::{MAX_MINUTES, Series};
use crate::request_checks::Caller;

const NOT_ALLOWED: &str = "only operators and viewers may see the figures of the server: expected \
                           the scope `operator` or `viewer` among those of your credentials";

/// The time to look back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeriesQuery {
    minutes: Option<u32>,
}

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Query(query): Query<SeriesQuery>,
) -> Result<axum::Json<Series>, ApiError> {
    require_viewer(&app, &person)?;
    let minutes = query.minutes.unwrap_or(MAX_MINUTES);
    if !(1..=MAX_MINUTES).contains(&minutes) {
        let message = format!("`minutes`: expected 1 to {MAX_MINUTES}, found {minutes}");
        return Err(ApiError::invalid(message));
    }
    Ok(axum::Json(Series::of(&app, minutes)))
}

/// Where people do not sign in, the person at this machine is the operator.
fn require_viewer(app: &App, person: &Person) -> Result<(), ApiError> {
    let may_see = |scope: &String| scope == "operator" || scope == "viewer";
    match app.auth() {
        Auth::Open => Ok(()),
        Auth::Tokens(_) | Auth::Jwt(_) if person.scopes.iter().any(may_see) => Ok(()),
        Auth::Tokens(_) | Auth::Jwt(_) => {
            Err(ApiError::new(ApiErrorCode::OperatorOnly, NOT_ALLOWED))
        }
    }
}
