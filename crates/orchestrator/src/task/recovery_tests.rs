//! The end or the next run of a task whose process died, case by case.

use super::*;

fn read(status: Option<CallStatus>) -> TaskFacts {
    TaskFacts {
        status,
        writes: false,
        cancel_requested: false,
        runs: 1,
        max_runs: 3,
        age_ms: 60_000,
    }
}

fn abandoned(writes: bool) -> Option<CallStatus> {
    Some(CallStatus::Abandoned { writes })
}

#[test]
fn a_task_that_runs_elsewhere_is_left_there() {
    let elsewhere = read(Some(CallStatus::RunningElsewhere));
    assert_eq!(elsewhere.recovery(), Recovery::Leave);
}

#[test]
fn a_read_of_a_dead_process_runs_again_within_its_bound() {
    assert_eq!(read(abandoned(false)).recovery(), Recovery::RunAgain);
    assert_eq!(TaskFacts { runs: 3, ..read(abandoned(false)) }.recovery(), Recovery::GiveUp);
}

#[test]
fn a_write_of_a_dead_process_never_runs_again() {
    let write = |status| TaskFacts { writes: true, ..read(status) };
    assert_eq!(write(abandoned(true)).recovery(), Recovery::OutcomeUnknown);
    assert_eq!(write(None).recovery(), Recovery::OutcomeUnknown);
}

#[test]
fn a_read_that_was_cancelled_does_not_run_again() {
    let cancelled = TaskFacts { cancel_requested: true, ..read(abandoned(false)) };
    assert_eq!(cancelled.recovery(), Recovery::Cancel);
}

#[test]
fn a_young_task_without_a_ledger_entry_is_left_alone() {
    assert_eq!(TaskFacts { age_ms: 10, ..read(None) }.recovery(), Recovery::Leave);
    assert_eq!(read(None).recovery(), Recovery::RunAgain);
}
