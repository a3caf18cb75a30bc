//! One response at a time, as a table of events and allowed requests.

use super::*;

/// The events.
#[derive(Debug, Clone, Copy)]
enum On {
    Want,
    Say,
    Open,
    Sent,
    Seen,
    Created(ResponseKind),
    Refused,
    GivenUp,
    Done,
    SpeechStarted,
    SpeechStopped,
    Heard,
    Hush,
}
use On::*;
use ResponseKind::{Reply, ServerStarted};

fn happen(replies: &mut ResponseQueue, on: On) {
    match on {
        Want => replies.request_reply(),
        Say => replies.say("One moment."),
        Open => replies.open("Hello."),
        Sent => replies.item_sent(),
        Seen => replies.item_seen(),
        Created(kind) => drop(replies.created("r", kind)),
        Refused => replies.refused(),
        GivenUp => replies.given_up(),
        Done => {
            replies.last_done.clear();
            replies.done("r", ServerStarted);
        }
        SpeechStarted => replies.speech_started(),
        SpeechStopped => replies.speech_stopped(),
        Heard => replies.heard(),
        Hush => replies.drop_requests(),
    }
}

#[track_caller]
fn active(done: Option<ResponseEnd>) -> ActiveResponse {
    let Some(ResponseEnd::Active(active)) = done else { panic!("{done:?}") };
    active
}

/// After each of these, what is asked for: `r` a reply, `o` an opening, `s` a sentence, `-` nothing.
/// The server names our responses.
#[track_caller]
fn check(steps: &[On], expected: &str) {
    check_with(ResponseQueue { echoes: true, ..ResponseQueue::default() }, steps, expected);
}

/// As above, with a server that has not named any response of ours.
#[track_caller]
fn check_unnamed(steps: &[On], expected: &str) {
    check_with(ResponseQueue::default(), steps, expected);
}

#[track_caller]
fn check_with(mut replies: ResponseQueue, steps: &[On], expected: &str) {
    let asked = steps.iter().map(|step| {
        happen(&mut replies, *step);
        match replies.next() {
            Some(ResponseRequest::Reply) => 'r',
            Some(ResponseRequest::Opening(_)) => 'o',
            Some(ResponseRequest::Say(_)) => 's',
            None => '-',
        }
    });
    assert_eq!(asked.collect::<String>(), expected, "{steps:?}");
}

#[test]
fn a_reply_is_asked_for_at_once_if_nothing_runs() {
    check(&[Want, Created(Reply), Done], "r--");
}

#[test]
fn a_reply_waits_for_the_running_one() {
    check(&[Created(ServerStarted), Sent, Want, Seen, Done], "----r");
    check(&[Want, Want, Created(Reply), Done], "r--r");
}

#[test]
fn a_reply_that_the_server_began_makes_ours_needless_if_it_knows_all() {
    check(
        &[SpeechStarted, Sent, Want, Seen, SpeechStopped, Created(ServerStarted), Done],
        "-------",
    );
    check(
        &[SpeechStarted, Sent, Want, SpeechStopped, Created(ServerStarted), Seen, Done],
        "------r",
    );
}

#[test]
fn a_reply_that_was_refused_is_asked_for_again_unless_it_is_needless() {
    check(&[Sent, Want, Created(ServerStarted), Refused, Seen, Done], "-r---r");
    check(&[Sent, Want, Seen, Created(ServerStarted), Refused, Done], "-r----");
}

#[test]
fn nothing_else_is_asked_for_while_one_is_on_its_way() {
    check(&[Sent, Want, Want, Created(ServerStarted), Done, Refused, Done], "-r----r");
}

#[test]
fn a_refusal_by_a_response_that_was_not_shown_waits_for_its_end() {
    check(&[Want, Refused, Done], "r-r");
}

#[test]
fn nothing_is_asked_for_while_the_person_speaks_or_is_answered() {
    check(&[SpeechStarted, Want, SpeechStopped, Heard], "---r");
}

#[test]
fn a_sentence_is_spoken_if_nothing_runs_and_no_reply_is_wanted() {
    check(&[Say, Created(ResponseKind::Say), Want, Done], "s--r");
    check(&[Created(ServerStarted), Say, Want, Done], "---r");
    check(&[Created(ServerStarted), Want, Say, Done, Created(Reply), Done], "---r--");
    check(&[Created(ServerStarted), Say, SpeechStarted, Done, SpeechStopped, Heard], "------");
}

#[test]
fn a_sentence_that_was_refused_is_dropped() {
    check(&[Say, Created(ServerStarted), Refused, Done], "s---");
}

#[test]
fn what_was_given_up_makes_room() {
    check(&[Want, GivenUp, Want], "r-r");
}

#[test]
fn nothing_more_is_said_when_told_to_hush() {
    check(&[Created(ServerStarted), Want, Hush, Done], "----");
}

#[test]
fn a_failed_reply_is_tried_once_more_until_one_comes_out_well() {
    let mut replies = ResponseQueue::default();
    assert!(replies.retry() && !replies.retry());
    replies.succeeded();
    assert!(replies.retry());
}

#[test]
fn a_response_is_cut_short_once_even_before_it_began() {
    let mut replies = ResponseQueue::default();
    assert!(!replies.can_be_cut_short() && !replies.interrupt());
    replies.request_reply();
    replies.next();
    assert!(replies.can_be_cut_short() && replies.interrupt());
    replies.created("r", Reply);
    assert!(!replies.can_be_cut_short() && !replies.interrupt());
    assert!(active(replies.done("r", Reply)).interrupted);
}

#[test]
fn an_end_counts_once_and_even_if_the_beginning_was_missed() {
    let mut replies = ResponseQueue::default();
    assert_eq!(active(replies.done("r1", ServerStarted)).kind, ServerStarted);
    assert_eq!(replies.done("r1", ServerStarted), None);
    replies.request_reply();
    replies.next();
    assert_eq!(active(replies.done("r2", Reply)).kind, Reply);
    replies.request_reply();
    assert_eq!(replies.next(), Some(ResponseRequest::Reply));
}

#[test]
fn a_response_that_the_server_does_not_name_is_ours_if_one_is_awaited() {
    check_unnamed(&[Want, Created(ServerStarted), Done, Want], "r--r");
    check_unnamed(&[Say, Created(ServerStarted), Want, Done], "s--r");
    // The end alone shows it too.
    check_unnamed(&[Want, Done, Want], "r-r");
}

#[test]
fn a_response_to_speech_is_the_servers_although_it_names_none() {
    check_unnamed(
        &[SpeechStarted, Sent, Want, Seen, SpeechStopped, Created(ServerStarted), Done],
        "-------",
    );
}

#[test]
fn a_refusal_shows_that_the_running_response_was_not_ours() {
    check_unnamed(&[Sent, Want, Created(ServerStarted), Refused, Seen, Done], "-r---r");
    check_unnamed(&[Sent, Want, Seen, Created(ServerStarted), Refused, Done], "-r----");
    check_unnamed(&[Open, Created(ServerStarted), Refused, Done], "o--o");
}

#[test]
fn a_server_that_has_named_one_response_names_all() {
    check_unnamed(
        &[Want, Created(Reply), Done, Sent, Want, Created(ServerStarted), Done],
        "r---r--",
    );
}

#[test]
fn an_opening_comes_before_a_reply_and_not_after_the_person_has_spoken() {
    check(&[Open, Created(Reply), Want, Done], "o--r");
    check(&[Created(ServerStarted), Open, Want, Done, Created(Reply), Done], "---o-r");
    check(&[Created(ServerStarted), Open, SpeechStarted, Done, SpeechStopped, Heard], "------");
    check(&[Created(ServerStarted), Open, Hush, Done], "----");
}

#[test]
fn what_comes_of_a_response_whose_beginning_was_missed_begins_it() {
    let mut replies = ResponseQueue::default();
    replies.on_output("r1");
    assert_eq!(replies.active().map(|active| active.id.as_str()), Some("r1"));
    assert!(matches!(replies.done("r1", ServerStarted), Some(ResponseEnd::Active(_))));
    replies.on_output("r1");
    replies.on_output("");
    assert_eq!(replies.active(), None);
}
