//! Waits that are asked for, and waits that are not.

use super::*;

fn fault(severity: Severity, retry_after: Option<u64>) -> ReplyFault {
    ReplyFault {
        severity,
        code: "c".into(),
        message: String::new(),
        reason: "r",
        retry_after: retry_after.map(Duration::from_secs),
    }
}

fn headers(fields: &[(&'static str, &str)]) -> HeaderMap {
    fields.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
}

fn asked_for(fields: &[(&'static str, &str)]) -> Option<Duration> {
    let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
    asked_at(&headers(fields), now)
}

#[test]
fn a_wait_is_asked_for_in_seconds_or_by_date() {
    let seconds = |n| Some(Duration::from_secs(n));
    assert_eq!(asked_for(&[("retry-after", "7")]), seconds(7));
    assert_eq!(asked_for(&[("retry-after", " 0.5 ")]), Some(Duration::from_millis(500)));
    assert_eq!(asked_for(&[("retry-after", "Sun, 06 Nov 1994 08:50:00 GMT")]), seconds(23));
    assert_eq!(asked_for(&[("retry-after", "Sunday, 06-Nov-94 08:50:00 GMT")]), seconds(23));
    assert_eq!(asked_for(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]), seconds(0));
    let both = [("retry-after", "7"), ("retry-after-ms", "250")];
    assert_eq!(asked_for(&both), Some(Duration::from_millis(250)));
}

#[test]
fn a_wait_that_makes_no_sense_is_none() {
    for text in ["", "soon", "-1", "NaN", "inf", "1e300", "32 Nov 1994"] {
        assert_eq!(asked_for(&[("retry-after", text)]), None, "{text:?}");
    }
    assert_eq!(asked_for(&[]), None);
}

#[test]
fn waits_double_up_to_the_longest_with_jitter() {
    let retries = Retries { most: 9, ..Retries::default() };
    let waits = |jitter| {
        let wait = |attempts| {
            wait(
                &retries,
                &fault(Severity::Retry, None),
                attempts,
                Duration::ZERO,
                Jitter::new(jitter),
            )
            .unwrap()
        };
        [1, 2, 3, 6].map(|attempts| wait(attempts).as_millis())
    };
    assert_eq!(waits(1.0), [500, 1000, 2000, 8000]);
    assert_eq!(waits(0.0), [250, 500, 1000, 4000]);
}

#[test]
fn patience_has_an_end() {
    let retries = Retries::default();
    let retry = fault(Severity::Retry, None);
    let none = |fault: &ReplyFault, attempts, spent| {
        assert_eq!(
            wait(&retries, fault, attempts, Duration::from_secs(spent), Jitter::new(1.0)),
            None
        );
    };
    none(&retry, 4, 0);
    none(&retry, 1, 45);
    none(&retry, 1, 100);
    none(&fault(Severity::Fatal, None), 1, 0);
    none(&fault(Severity::Ignore, None), 1, 0);
    none(&fault(Severity::Retry, Some(46)), 1, 0);
    none(&fault(Severity::Retry, Some(10)), 1, 36);
    let asked =
        wait(&retries, &fault(Severity::Retry, Some(45)), 1, Duration::ZERO, Jitter::new(1.0));
    assert_eq!(asked, Some(Duration::from_secs(45)));
}
