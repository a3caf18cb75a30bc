//! Conversation scripts: `tests/conversations/*.md`, each run through the real
//! pipeline. Their README says how they are written.

mod crash;

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_rehearsal::{FailedExpectation, Run, claims, names, read, report};
use aileron_script::Script;
use aileron_store::MemoryStore;

/// One test for each script, by the name of its file.
macro_rules! scripts {
    ($($test:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($test)),*];
        $(
            #[tokio::test]
            async fn $test() {
                play(&stringify!($test).replace('_', "-")).await;
            }
        )*
    };
}

scripts! {
    after_the_end
    approval_expires
    approval_passes_the_gates_again
    approval_survives_a_restart
    approve_by_click
    approve_by_voice
    approve_in_the_right_channel
    approved_and_called_again
    available_to_some
    arguments_that_are_no_object
    back_without_a_word
    background_bound
    background_died
    background_read
    background_write
    background_write_died
    bad_arguments
    barge_in
    barge_in_detached
    blocked
    broken_promise
    broken_rules
    budget_of_inner_calls
    budget_text_retrieval
    budget_text_total
    budget_voice_retrieval
    budget_voice_total
    changed_arguments
    changed_their_mind
    costly_is_not_dangerous
    crash_during_a_read
    crash_during_a_write
    cut_off_in_mid_sentence
    deadline_of_a_search
    deadline_of_a_write
    decline_and_crash
    decline_by_click
    decline_by_voice
    find_and_read
    from_text_to_voice
    from_text_to_voice_and_back
    moved_by_the_person
    moved_in_the_middle_of_a_turn
    moved_while_a_search_runs
    handler_errors
    hidden_contacts
    ids_that_say_nothing
    long_result_text
    long_result_voice
    loop_alternation
    loop_empty
    loop_identical
    loop_same_error
    no_retry_in_voice
    no_retry_of_a_charge
    one_question_at_a_time
    one_question_for_one_call
    only_the_person_approves
    panic
    permissions
    permissions_granted
    provider_takes_a_call_back
    rate_limit
    refused_once_and_for_all
    retry_in_text
    same_call_after_a_restart
    same_call_twice
    same_call_while_it_runs
    second_thoughts
    the_toolset_stays
    tools_that_call_tools
    two_bookings
    unclear_by_voice
    unknown_tool
    voice_limits
    who_may_read
    who_may_read_by_scope
    whose_conversation
    writes_in_order
    writes_wait_for_approval
    wrong_mode
    yes_before_the_question
}

async fn play(name: &str) {
    let script = read(name);
    let result = match crash::position(&script) {
        Some(at) => crash::run(&script, at).await,
        None => whole(&script).await,
    };
    if let Err(fault) = result {
        panic!("{}", report(name, &fault));
    }
}

async fn whole(script: &Script) -> Result<(), FailedExpectation> {
    let mut run = Run::begin(script, Arc::new(MemoryStore::new())).await;
    run.follow(&script.steps).await?;
    run.end(script).await.map(drop)
}

#[test]
fn no_script_is_left_out() {
    let written = names();
    let listed: BTreeSet<_> = NAMES.iter().map(|name| name.replace('_', "-")).collect();
    assert_eq!(written, listed, "every file of tests/conversations has a line in `scripts!`");
}

#[test]
fn every_policy_error_outcome_and_rule_has_a_script() {
    let claimed: BTreeSet<_> =
        NAMES.iter().flat_map(|name| read(&name.replace('_', "-")).covers).collect();
    let missing: Vec<_> = claims::required().difference(&claimed).cloned().collect();
    assert!(missing.is_empty(), "no script covers {missing:#?}");
    let unknown: Vec<_> = claimed.difference(&claims::required()).cloned().collect();
    assert!(unknown.is_empty(), "nothing is called {unknown:#?}");
}
