//! Timers fire regardless of which task polls them, and when.

use std::future::poll_fn;

use tokio::task::coop::{has_budget_remaining, poll_proceed};
use tokio::time::timeout;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// Uses up the cooperative budget of a task.
fn use_up(cx: &mut Context<'_>) {
    while has_budget_remaining() {
        if let Poll::Ready(step) = poll_proceed(cx) {
            step.made_progress();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_alarm_rings_for_a_task_that_first_looked_at_it_at_the_end_of_its_time() {
    for is_set_anew in [false, true] {
        let mut alarm = Alarm::after(SECOND);
        if is_set_anew {
            alarm.set(Instant::now() + SECOND * 2);
        }
        let mut looked = false;
        let rings = poll_fn(|cx| {
            if !std::mem::replace(&mut looked, true) {
                use_up(cx);
            }
            alarm.poll(cx)
        });
        timeout(SECOND * 60, rings).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn an_alarm_rings_once_it_is_due_and_until_it_is_set_again() {
    let mut alarm = Alarm::after(SECOND);
    poll_fn(|cx| alarm.poll(cx)).await;
    poll_fn(|cx| alarm.poll(cx)).await;
    alarm.set(Instant::now() + SECOND);
    let early = timeout(SECOND / 2, poll_fn(|cx| alarm.poll(cx))).await;
    assert!(early.is_err());
    poll_fn(|cx| alarm.poll(cx)).await;
}
