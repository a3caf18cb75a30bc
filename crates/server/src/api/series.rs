//! The time series, for operators and viewers.

use axum::extract::State;
use serde::Deserialize;

use super::request::Query;
use crate::app::App;
use crate::error::ApiError;
use crate::metrics::{MAX_MINUTES, Series};
use crate::request_checks::Caller;
use crate::role::Role;

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
    Role::of(&app, &person).require_all()?;
    let minutes = query.minutes.unwrap_or(MAX_MINUTES);
    if !(1..=MAX_MINUTES).contains(&minutes) {
        let message = format!("`minutes`: expected 1 to {MAX_MINUTES}, found {minutes}");
        return Err(ApiError::invalid(message));
    }
    Ok(axum::Json(Series::of(&app, minutes)))
}
