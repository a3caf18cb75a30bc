//! Which tokens are counted, and when the window is exceeded.

use serde_json::json;

use super::*;

#[test]
fn four_characters_are_a_token_and_a_part_of_them_is_one_too() {
    assert_eq!([0, 1, 4, 5].map(tokens), [0, 1, 1, 2]);
    assert_eq!(json_chars(&json!({"a": "äöü"})), 11);
}

#[test]
fn the_warning_comes_once_at_nine_tenths() {
    let mut context = ContextWindow::new(100, 50);
    assert_eq!((context.add(39), context.add(1), context.add(50)), {
        (WindowAlert::Fine, WindowAlert::NearlyFull, WindowAlert::Fine)
    });
    assert_eq!(context.peak(), 140);
}

#[test]
fn what_the_provider_measured_takes_the_place_of_the_estimate() {
    let mut context = ContextWindow::new(100, 50);
    assert_eq!((context.add(30), context.measured(60)), (WindowAlert::Fine, WindowAlert::Fine));
    assert_eq!((context.peak(), context.add(30)), (80, WindowAlert::NearlyFull));
}

#[test]
fn a_reply_outside_of_the_conversation_does_not_empty_the_window() {
    let mut context = ContextWindow::new(100, 50);
    assert_eq!((context.add(30), context.measured(20), context.add(10)), {
        (WindowAlert::Fine, WindowAlert::Fine, WindowAlert::NearlyFull)
    });
}

#[test]
fn a_window_that_begins_nearly_full_is_told_at_once() {
    assert_eq!(ContextWindow::new(100, 90).check(), WindowAlert::NearlyFull);
}
