//! When a part is polled, and when it is not.

use std::task::Waker;

use super::*;

/// A part that counts its polls and keeps its waker.
#[derive(Default)]
struct Part {
    polls: usize,
    waker: Option<Waker>,
}

fn poll(woken: &mut PollOnWake<Part>, ready: bool) -> Option<WakeReason> {
    let mut reason = None;
    let _ = woken.poll(&mut Context::from_waker(Waker::noop()), |part, why, cx| {
        reason = Some(why);
        part.polls += 1;
        part.waker = Some(cx.waker().clone());
        if ready { Poll::Ready(()) } else { Poll::Pending }
    });
    reason
}

#[test]
fn a_part_is_polled_first_and_then_only_when_its_bell_rang() {
    let mut woken = PollOnWake::new(Part::default());
    assert_eq!(poll(&mut woken, false), Some(WakeReason::Woken));
    assert_eq!(poll(&mut woken, false), None);
    woken.part.waker.clone().unwrap().wake();
    assert_eq!(poll(&mut woken, false), Some(WakeReason::Woken));
    assert_eq!(poll(&mut woken, false), None);
    assert_eq!(woken.polls, 2);
}

#[test]
fn a_part_that_had_something_is_asked_for_more() {
    let mut woken = PollOnWake::new(Part::default());
    poll(&mut woken, true);
    assert_eq!(poll(&mut woken, false), Some(WakeReason::Woken));
    assert_eq!(poll(&mut woken, false), None);
}

#[test]
fn a_part_that_was_touched_is_polled_and_a_bell_counts_for_more() {
    let mut woken = PollOnWake::new(Part::default());
    poll(&mut woken, false);
    woken.polls = 0;
    assert_eq!(poll(&mut woken, false), Some(WakeReason::Written));
    woken.polls = 0;
    woken.part.waker.take().unwrap().wake();
    assert_eq!(poll(&mut woken, false), Some(WakeReason::Woken));
    assert_eq!(poll(&mut woken, false), None, "one poll did for both");
}

#[test]
fn a_bell_that_rings_during_the_poll_is_not_lost() {
    let mut woken = PollOnWake::new(());
    let polled = woken.poll(&mut Context::from_waker(Waker::noop()), |(), _, cx| {
        cx.waker().wake_by_ref();
        Poll::<()>::Pending
    });
    assert!(polled.is_pending());
    let mut asked = 0;
    let _ = woken.poll(&mut Context::from_waker(Waker::noop()), |(), _, _| {
        asked += 1;
        Poll::<()>::Pending
    });
    assert_eq!(asked, 1);
}

#[tokio::test]
async fn the_bell_wakes_the_task_as_often_as_it_rings() {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    let mut woken = PollOnWake::new(receiver);
    let reading = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(number) =
            std::future::poll_fn(|cx| woken.poll(cx, |receiver, _, cx| receiver.poll_recv(cx)))
                .await
        {
            sum += number;
        }
        sum
    });
    for number in 1..=10 {
        sender.send(number).await.unwrap();
    }
    drop(sender);
    assert_eq!(reading.await.unwrap(), 55);
}
