//! The seams between the brain and the protocols.

use super::*;

#[test]
fn text_is_sent_word_by_word_and_nothing_is_lost() {
    for text in ["", " ", "one", "one two", "  two  blanks ", "größer als 1\nzwei", "日本 語"]
    {
        assert_eq!(pieces(text).concat(), text);
        assert_eq!(fragments(text).concat(), text);
        assert!(pieces(text).iter().all(|piece| !piece.is_empty()));
    }
    assert_eq!(pieces("one two three"), ["one", " two", " three"]);
}

#[test]
fn what_stands_behind_calls_waits_for_their_results() {
    let question = samples::question();
    let reply = samples::reply(&question);
    assert_eq!(reply.parts.len(), 4);
    assert_eq!(reply.ending, Ending::Calls);
    assert_eq!(reply.text(), "Let me see.");
}

#[test]
fn thoughts_are_left_out_unless_they_are_asked_for() {
    let question = Question { thoughts: Thoughts::Hidden, ..samples::question() };
    assert_eq!(samples::reply(&question).parts.len(), 3);
}
