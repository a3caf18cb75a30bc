//! The content type of a file, by the ending of its name.

/// A file of unknown type is offered as bytes, which no browser runs.
const UNKNOWN: &str = "application/octet-stream";

const KNOWN: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
];

pub(crate) fn of(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
    let known = KNOWN.iter().find(|(known, _)| *known == ending);
    known.map_or(UNKNOWN, |(_, content_type)| content_type)
}
