//! Tests of the words that the module `aileron` exports.

use aileron_contract::Intent;
use aileron_contract::intent::EndAfter;

use super::*;

/// One of each intent. The match makes a new one a compile error here.
fn every_intent() -> Vec<Intent> {
    let all = vec![
        Intent::EndVoiceSession { after: EndAfter::Immediate },
        Intent::StartVoiceSession,
        Intent::SuppressAudio { value: true },
        Intent::SuppressTranscript { value: true },
        Intent::SetPendingMessage { message: String::new() },
        Intent::BlockUser { until: 0 },
    ];
    for intent in &all {
        match intent {
            Intent::EndVoiceSession { .. }
            | Intent::StartVoiceSession
            | Intent::SuppressAudio { .. }
            | Intent::SuppressTranscript { .. }
            | Intent::SetPendingMessage { .. }
            | Intent::BlockUser { .. } => {}
        }
    }
    all
}

#[test]
fn intent_types_are_those_of_the_contract() {
    let names: Vec<_> = every_intent()
        .iter()
        .map(|intent| serde_json::to_value(intent).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, INTENT_TYPES);
}

#[test]
fn every_error_type_is_exported() {
    let source = aileron_source();
    assert!(
        ErrorType::ALL.iter().all(|kind| source.contains(&format!("{0}:'{0}'", kind.as_str())))
    );
}
