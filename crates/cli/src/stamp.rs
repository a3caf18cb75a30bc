//! When and from which commit an artifact is built.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use aileron_compiler::emit::BuildStamp;
use jiff::Timestamp;

use crate::git;

/// The stamp of a build at this moment; `SOURCE_DATE_EPOCH` replaces the clock.
pub(crate) fn now(tools: &Path) -> BuildStamp {
    let (git_commit, build_timestamp) = (git::commit(tools), timestamp(seconds()));
    BuildStamp { git_commit, build_timestamp, left_out: Vec::new() }
}

fn seconds() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    })
}

/// Seconds since the Unix epoch as an RFC 3339 date-time; none beyond the year 9999.
fn timestamp(seconds: u64) -> Option<String> {
    let moment = Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?;
    Some(moment.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds).as_deref(), Some(text));
        }
        assert_eq!(timestamp(u64::MAX), None);
    }
}
