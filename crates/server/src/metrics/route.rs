//! The route `/metrics`.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::accept::MetricsFormat;
use super::{exposition, json, prometheus_text};
use crate::app::App;
use crate::error::{ApiError, ApiErrorCode};

/// The route `/metrics`.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/metrics", get(answer))
}

async fn answer(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let format = MetricsFormat::of(&accepted.collect::<Vec<_>>().join(","));
    let open_metrics = || {
        exposition::open_metrics(&app)
            .map_err(|error| ApiError::new(ApiErrorCode::Internal, error.to_string()))
    };
    let text = match format {
        MetricsFormat::OpenMetrics => open_metrics()?,
        MetricsFormat::PrometheusText => prometheus_text::from_open_metrics(&open_metrics()?),
        MetricsFormat::Json => json::summary(&app).to_string(),
    };
    Ok(([(header::CONTENT_TYPE, format.content_type())], text).into_response())
}
