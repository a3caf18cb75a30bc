//! Which runs are good.

use super::*;

fn pronounced(resident: &[u64], unanswered: &[&str]) -> Result<String, String> {
    let unanswered = unanswered.iter().map(|call| (*call).to_owned()).collect();
    let resident = resident.to_vec();
    Verdict { resident, calls: 7, unanswered, ..Verdict::default() }.pronounce()
}

#[test]
fn what_fills_up_once_is_no_growth() {
    let flat = [10, 400, 900, 1000, 1000, 1030, 1020, 990, 1050];
    let expected = "7 calls, each answered once; 1010 KB resident in the middle third, 1020 KB in the \
                    last: +1.0 % (allowed: 5).";
    assert_eq!(pronounced(&flat, &[]), Ok(expected.to_owned()));
}

#[test]
fn memory_that_keeps_growing_is_a_fault() {
    let leak: Vec<u64> = (0..20).map(|look| 1000 + 20 * look).collect();
    let expected = "memory grows: 1210 KB resident in the middle third, 1330 KB in the last: +9.9 %, \
                    where 5 are allowed";
    assert_eq!(pronounced(&leak, &[]), Err(expected.to_owned()));
}

#[test]
fn a_call_without_an_answer_is_a_fault_whatever_memory_does() {
    let expected = "2 calls were not answered, such as call-3";
    assert_eq!(pronounced(&[1; 9], &["call-3", "call-5"]), Err(expected.to_owned()));
}

#[test]
fn a_short_run_says_nothing_of_memory() {
    let expected = "7 calls, each answered once; too short a run to say anything of memory.";
    assert_eq!(pronounced(&[1, 100, 1000], &[]), Ok(expected.to_owned()));
}
