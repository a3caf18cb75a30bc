//! Starts and pauses.

use super::*;

fn changes(likely: &[f32]) -> Vec<Change> {
    let mut detector = Detector::default();
    likely.iter().map(|likely| detector.on(*likely)).collect()
}

#[test]
fn a_click_starts_nothing() {
    let clicks = [0.9, 0.9, 0.9, 0.1].repeat(20);
    assert!(changes(&clicks).iter().all(|change| *change == Change::Quiet));
}

#[test]
fn speech_starts_and_a_pause_is_measured() {
    let found = changes(&[0.9, 0.9, 0.9, 0.9, 0.8, 0.4, 0.2, 0.4, 0.9]);
    assert_eq!(found[3], Change::Started);
    assert_eq!(found[4..6], [Change::Speaking, Change::Speaking]);
    assert_eq!(found[6], Change::Pausing { silent_ms: 32 });
    assert_eq!(found[7], Change::Pausing { silent_ms: 64 });
    assert_eq!(found[8], Change::Speaking);
}
