//! The table is whole and says each name once.

use std::collections::BTreeSet;

use super::*;

#[test]
fn seventeen_kinds_each_with_its_own_name_and_sentence() {
    let names: BTreeSet<_> = ErrorType::ALL.iter().map(|kind| kind.as_str()).collect();
    let sentences: BTreeSet<_> = ErrorType::ALL.iter().map(|kind| kind.sentence()).collect();
    assert_eq!((names.len(), sentences.len()), (17, 17));
}

#[test]
fn serde_uses_the_table_names() {
    for kind in ErrorType::ALL {
        let wire = format!("\"{kind}\"");
        assert_eq!(serde_json::to_string(kind).unwrap(), wire);
        assert_eq!(serde_json::from_str::<ErrorType>(&wire).unwrap(), *kind);
    }
}

#[test]
fn only_transient_faults_and_rate_limits_are_worth_retrying() {
    let retryable: Vec<_> = ErrorType::ALL.iter().filter(|kind| kind.retryable()).collect();
    assert_eq!(retryable, [&ErrorType::RateLimit, &ErrorType::Transient]);
}

#[test]
fn layers_match_the_contract() {
    let count = |layer| ErrorType::ALL.iter().filter(|kind| kind.layer() == layer).count();
    assert_eq!(
        (count(Layer::Registry), count(Layer::Orchestrator), count(Layer::Handler)),
        (3, 9, 5)
    );
}
