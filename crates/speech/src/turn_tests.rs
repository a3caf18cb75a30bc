//! Pauses after words.

use super::*;

#[test]
fn a_finished_sentence_needs_a_short_pause() {
    for text in
        ["What is the refund policy?", "Yes.", "yes", "Yes, please.", "No no, wait.", "I think so."]
    {
        assert_eq!(pause_ms(text), SHORT_PAUSE_MS, "{text}");
    }
}

#[test]
fn a_pause_inside_a_sentence_does_not_end_it() {
    for text in
        ["", "I would like to", "Schedule a meeting with,", "Uh", "And then the", "It's about..."]
    {
        assert_eq!(pause_ms(text), LONG_PAUSE_MS, "{text}");
    }
}
