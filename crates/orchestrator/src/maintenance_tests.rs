//! When data counts as old.

use super::*;
use crate::config::{Ledger, Retention};

const NOW: u64 = 1000 * MS_PER_DAY;

#[track_caller]
fn check(keep_hours: u64, (conversations_days, audit_days): (u64, u64), days: [Option<u64>; 2]) {
    let config = Config {
        ledger: Ledger { keep_hours },
        retention: Retention { conversations_days, audit_days },
        ..Config::default()
    };
    let old = RetentionCutoffs::at(&config, NOW);
    let expected = days.map(|days| days.map(|days| NOW - days * MS_PER_DAY));
    assert_eq!([old.conversations, old.records], expected);
}

#[test]
fn each_is_kept_for_its_days_or_for_ever() {
    check(168, (30, 365), [Some(30), Some(365)]);
    check(168, (0, 365), [None, Some(365)]);
    check(168, (30, 0), [Some(30), None]);
}

#[test]
fn nothing_is_forgotten_before_the_calls_it_is_about() {
    check(240, (1, 2), [Some(10), Some(10)]);
}
