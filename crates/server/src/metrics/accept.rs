//! Chooses the format of `/metrics` by the `Accept` header.

/// A format of the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetricsFormat {
    OpenMetrics,
    PrometheusText,
    Json,
}

impl MetricsFormat {
    /// The format that the client prefers. Of several with the same weight, the first in the header; JSON for
    /// a client that accepts anything, and for one that accepts none of the formats.
    pub(super) fn of(accept: &str) -> Self {
        let mut chosen = (Self::Json, 0);
        for range in accept.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            let weight = parts.find_map(weight).unwrap_or(1000);
            if let Some(format) = Self::of_media_range(media)
                && weight > chosen.1
            {
                chosen = (format, weight);
            }
        }
        chosen.0
    }

    fn of_media_range(media: &str) -> Option<Self> {
        let is = |name: &str| media.eq_ignore_ascii_case(name);
        if is("application/openmetrics-text") {
            Some(Self::OpenMetrics)
        } else if is("text/plain") || is("text/*") {
            Some(Self::PrometheusText)
        } else if is("application/json") || is("application/*") || is("*/*") {
            Some(Self::Json)
        } else {
            None
        }
    }

    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::PrometheusText => "text/plain; version=0.0.4; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

/// The weight of a media range in thousandths, if this parameter is its weight.
fn weight(parameter: &str) -> Option<u32> {
    let (name, value) = parameter.split_once('=')?;
    let weight: f32 =
        name.trim().eq_ignore_ascii_case("q").then(|| value.trim().parse().ok())??;
    Some((weight.clamp(0.0, 1.0) * 1000.0) as u32)
}

#[cfg(test)]
#[path = "accept_tests.rs"]
mod tests;
