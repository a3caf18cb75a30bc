//! The rule of turns, for providers that report speech and words in every order.

use super::*;

fn begins(began_ms: u64) -> TurnAssignment {
    TurnAssignment::Begins { began_ms }
}

/// A floor to which audio of the person comes.
fn audible(now: u64) -> TurnTracker {
    let mut turn_tracker = TurnTracker::new(now);
    turn_tracker.on_person_input();
    turn_tracker
}

#[test]
fn a_model_that_begins_by_itself_is_on_nobodys_turn() {
    let mut turn_tracker = TurnTracker::new(10);
    assert_eq!(turn_tracker.on_model_acts(), None);
    assert_eq!(turn_tracker.on_transcript(30), begins(10));
    turn_tracker.on_model_finished(40);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
}

#[test]
fn words_before_the_reply_begin_the_turn_once() {
    let mut turn_tracker = TurnTracker::new(10);
    assert_eq!(turn_tracker.on_transcript(20), begins(10));
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_model_finished(40);
    assert_eq!(turn_tracker.on_transcript(50), begins(40));
}

#[test]
fn a_reply_before_its_words_begins_the_turn_and_the_words_go_on_with_it() {
    let mut turn_tracker = audible(10);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
    assert_eq!(turn_tracker.on_model_acts(), None);
    assert_eq!(turn_tracker.on_transcript(30), goes_on(10));
    turn_tracker.on_model_finished(40);
    assert_eq!(turn_tracker.on_transcript(50), begins(40));
}

#[test]
fn words_that_come_after_the_whole_reply_do_not_begin_another_turn() {
    let mut turn_tracker = TurnTracker::new(10);
    turn_tracker.on_speech_started(20);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
    turn_tracker.on_model_finished(40);
    assert_eq!(turn_tracker.on_transcript(50), goes_on(20));
    assert_eq!(turn_tracker.on_transcript(60), begins(40));
}

#[test]
fn words_that_never_come_are_not_waited_for_without_end() {
    let mut turn_tracker = audible(10);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
    turn_tracker.on_model_finished(40);
    assert_eq!(turn_tracker.on_transcript(40 + LATE_TRANSCRIPT_MS), begins(40));
}

#[test]
fn an_utterance_began_when_the_provider_says_so() {
    let mut turn_tracker = TurnTracker::new(10);
    turn_tracker.on_speech_started(20);
    assert_eq!(turn_tracker.on_transcript(30), begins(20));
    assert_eq!(turn_tracker.on_model_acts(), None);
}

#[test]
fn words_of_the_utterance_before_are_not_taken_for_those_of_the_next() {
    let mut turn_tracker = TurnTracker::new(0);
    turn_tracker.on_speech_started(10);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
    turn_tracker.on_speech_started(20);
    assert_eq!(turn_tracker.on_transcript(25), goes_on(10));
    assert_eq!(turn_tracker.on_transcript(30), begins(20));
}

#[test]
fn a_late_utterance_whose_words_failed_is_passed_over() {
    let mut turn_tracker = TurnTracker::new(0);
    turn_tracker.on_speech_started(10);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
    turn_tracker.on_model_finished(15);
    turn_tracker.on_speech_started(20);
    assert_eq!(turn_tracker.on_transcript(30), begins(20));
}

#[test]
fn what_the_model_says_of_a_late_result_is_no_turn_of_the_person() {
    let mut turn_tracker = TurnTracker::new(0);
    assert_eq!(turn_tracker.on_transcript(5), begins(0));
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_model_finished(10);
    turn_tracker.on_own_input();
    assert_eq!(turn_tracker.on_model_acts(), None);
    assert_eq!(turn_tracker.on_transcript(20), begins(10));
}

#[test]
fn a_person_who_spoke_is_heard_even_if_the_model_was_told_something_too() {
    let mut turn_tracker = TurnTracker::new(0);
    turn_tracker.on_own_input();
    turn_tracker.on_speech_started(10);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
}

#[test]
fn a_turn_in_writing_is_begun_by_the_writing() {
    let mut turn_tracker = TurnTracker::new(0);
    turn_tracker.on_text(10);
    assert_eq!(turn_tracker.on_model_acts(), None);
    assert!(turn_tracker.model_is_speaking());
    turn_tracker.on_model_finished(20);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
}

#[test]
fn a_turn_goes_on_over_another_connection() {
    let mut turn_tracker = TurnTracker::new(0);
    assert_eq!(turn_tracker.on_transcript(5), begins(0));
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_connection_lost(10);
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_model_finished(20);
    turn_tracker.on_connection_lost(30);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
}

#[test]
fn an_interruption_gives_the_floor_to_the_person_at_its_moment() {
    let mut turn_tracker = TurnTracker::new(0);
    assert_eq!(turn_tracker.on_transcript(5), begins(0));
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_interrupted(10);
    turn_tracker.on_model_finished(12);
    assert_eq!(turn_tracker.on_transcript(20), begins(10));
}

#[test]
fn writing_that_cuts_the_model_short_begins_one_turn() {
    let mut turn_tracker = TurnTracker::new(0);
    turn_tracker.on_transcript(5);
    turn_tracker.on_model_acts();
    turn_tracker.on_text(10);
    // Events that were in flight when it was written still arrive.
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_interrupted(12);
    turn_tracker.on_model_finished(13);
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_model_finished(20);
    assert_eq!(turn_tracker.on_transcript(25), begins(20));
}

#[test]
fn what_the_model_does_after_a_click_cut_it_short_is_of_the_same_turn() {
    let mut turn_tracker = audible(10);
    assert_eq!(turn_tracker.on_transcript(20), begins(10));
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_interrupt_click(30);
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_model_finished(40);
    assert_eq!(turn_tracker.on_model_acts(), Some(TurnAssignment::BeginsWithoutWords));
}

#[test]
fn words_after_a_click_cut_the_model_short_begin_a_turn_that_began_with_the_click() {
    let mut turn_tracker = audible(10);
    assert_eq!(turn_tracker.on_transcript(20), begins(10));
    assert_eq!(turn_tracker.on_model_acts(), None);
    turn_tracker.on_interrupt_click(30);
    assert_eq!(turn_tracker.on_transcript(35), begins(30));
}
