//! The headers of the page's files: caching, and what the browser may do with them.

use aileron_page::{CacheRule, PageFile};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::encoding::Encoding;

/// Scripts, styles and requests come from this server only. Images that tools made are fetched with the
/// person's credentials and shown as `blob:`. Text never becomes markup or script (`trusted-types`).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
                      font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

const SECURITY: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "microphone=(self), camera=(), geolocation=(), payment=(), usb=()",
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const REVALIDATE: &str = "no-cache";

/// Sets all headers of a file's response.
pub(super) fn set(headers: &mut HeaderMap, file: &PageFile, encoding: Encoding, tag: &str) {
    for (name, value) in SECURITY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let cached = match file.cache {
        CacheRule::Immutable => IMMUTABLE,
        CacheRule::Revalidate => REVALIDATE,
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cached));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("none"));
    headers.append(header::VARY, HeaderValue::from_static("accept, accept-encoding"));
    if let Some(encoding) = encoding.name() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
}
