//! Providers that end connection after connection: the backoff grows, inputs are not repeated
//! without end, and finally the session fails.

use super::*;

/// The totals of a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Storm {
    connections: u32,
    /// How often the person's words were told.
    told: u32,
    unanswered: u32,
    waited_ms: u128,
}

/// Runs until the session is closed. `fate` gives the events of each connection once it is ready.
fn storm(fate: impl Fn(u32) -> Vec<ProviderEvent>) -> Storm {
    let mut session = ProviderSession::new(Setup::new("m", "i"), Reconnect::default());
    let mut storm = Storm::default();
    let mut todo = VecDeque::from(session.on(SessionInput::Begin, jitter()));
    todo.extend(
        session.on(SessionInput::Hold(&[DeferredInput::Text("what is Atlas?".into())]), jitter()),
    );
    let mut wait = None;
    while session.state() != Closed {
        assert!(storm.connections < 100, "{storm:?}");
        let Some(action) = todo.pop_front() else {
            let (wait, delay): (TimerId, Duration) = wait.take().expect("something to wait for");
            storm.waited_ms += delay.as_millis();
            todo.extend(session.on(SessionInput::Waited(wait), jitter()));
            continue;
        };
        match action {
            Action::Connect => {
                storm.connections += 1;
                for event in fate(storm.connections) {
                    todo.extend(session.on(SessionInput::Event(&event), jitter()));
                }
            }
            Action::Wait { wait: next, delay } => wait = Some((next, delay)),
            Action::Deliver(held) => storm.told += u32::try_from(held.len()).unwrap(),
            Action::Tell(ConnectionNotice::Unanswered) => storm.unanswered += 1,
            Action::Tell(_) | Action::Disconnect => {}
        }
    }
    storm
}

#[track_caller]
fn check(fate: impl Fn(u32) -> Vec<ProviderEvent>) {
    let storm = storm(fate);
    assert!(storm.connections <= 10 && storm.waited_ms >= 15_000, "{storm:?}");
    assert_eq!((storm.told, storm.unanswered), (3, 1), "{storm:?}");
}

#[test]
fn a_provider_that_leaves_each_fresh_connection() {
    check(|_| vec![ready_event(), ProviderEvent::GoingAway { time_left: None }]);
    check(|_| vec![ready_event(), going_away(0)]);
}

#[test]
fn a_provider_that_closes_each_fresh_connection() {
    check(|_| vec![ready_event(), closed()]);
}

#[test]
fn a_provider_that_reports_an_error_over_each_fresh_connection() {
    check(|_| vec![ready_event(), ProviderEvent::Fault(fault(Severity::Retry))]);
}

#[test]
fn a_provider_that_begins_to_speak_and_leaves() {
    check(|_| vec![ready_event(), audio(), closed()]);
    check(|_| vec![ready_event(), audio(), going_away(0)]);
}

#[test]
fn a_provider_that_refuses_every_handle_it_gave() {
    let refused = |handle| ProviderEvent::Resumption { handle };
    let storm = storm(|connection| match connection % 2 {
        1 => vec![ready_event(), refused(Some("h".into())), closed()],
        _ => vec![refused(None), closed()],
    });
    assert!(storm.connections <= 10 && storm.waited_ms >= 15_000, "{storm:?}");
    assert!(storm.told <= 5, "{storm:?}");
}

#[test]
fn the_time_that_such_a_connection_has_is_used() {
    let mut life = Life::ready();
    life.event(&going_away(2), "disconnect, connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    // It is calm, but another connection would hardly be better.
    life.event(&going_away(2), "wait 2000 ms", Draining);
    life.check(SessionInput::Hold(&[DeferredInput::Text("hi".into())]), "deliver 1", Draining);
    life.event(&audio(), "", Draining);
    // It was of use after all.
    life.event(&turn_complete(), "disconnect, connect", Connecting);
}

#[test]
fn a_connection_that_came_to_nothing_is_left_like_one_that_was_lost() {
    let mut life = Life::ready();
    life.event(&going_away(2), "disconnect, connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    life.event(&going_away(2), "wait 2000 ms", Draining);
    life.waited("disconnect, interrupted 2, wait 300 ms", Waiting);
    life.waited("connect", Connecting);
}

#[test]
fn connections_that_last_are_left_without_a_word_however_many_there_are() {
    let mut life = Life::ready();
    life.event(&going_away(60), "disconnect, connect", Connecting);
    for _ in 0..20 {
        life.event(&ready_event(), "restored, wait 10000 ms", Ready);
        life.event(&going_away(60), "wait 60000 ms", Draining);
        life.waited("disconnect, connect", Connecting);
    }
}

#[test]
fn words_that_were_given_up_are_history_and_answers_are_never_given_up() {
    let mut life = Life::ready();
    life.check(SessionInput::Hold(&[DeferredInput::Text("hi".into())]), "deliver 1", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), "deliver 1", Ready);
    for (attempt, (delay, told)) in [(100, ""), (300, ""), (600, "unanswered, ")].iter().enumerate()
    {
        let expected = format!("interrupted {}, {told}wait {delay} ms", attempt + 1);
        life.event(&closed(), &expected, Waiting);
        life.waited("connect", Connecting);
        let count = if told.is_empty() { 2 } else { 1 };
        life.event(&ready_event(), &format!("restored, deliver {count}, wait 10000 ms"), Ready);
    }
    let history = life.session.setup().history;
    assert_eq!(history[0].text, "hi");
}
