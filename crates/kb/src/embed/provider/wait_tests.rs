//! Waits between attempts.

use super::*;

fn asked(text: &str) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, text.parse().unwrap());
    retry_after(&headers, "2026-01-01T00:00:00Z".parse().unwrap())
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    assert_eq!(asked("7"), Some(Duration::from_secs(7)));
    assert_eq!(asked("Thu, 01 Jan 2026 00:01:00 GMT"), Some(Duration::from_secs(60)));
    assert_eq!(asked("Wed, 31 Dec 2025 00:00:00 GMT"), Some(Duration::ZERO));
    assert_eq!(asked("soon"), None);
    assert_eq!(asked("-1"), None);
    assert_eq!(retry_after(&HeaderMap::new(), Timestamp::UNIX_EPOCH), None);
}
