//! Rows are found by the longest prefix, and a model without a row gets the safest contract.

use super::*;

#[test]
fn the_longest_prefix_decides() {
    let plain = gemini_live("models/gemini-3.8-live");
    let extended = gemini_live("gemini-3.8-live-extended-thinking");
    assert_eq!((plain.thinking_levels.len(), plain.scheduling), (0, Field::Accepted));
    assert_eq!((extended.thinking_levels.len(), extended.scheduling), (3, Field::Refused));
    assert_eq!(anthropic("claude-opus-4-7-20260401").sampling, Field::Refused);
    assert_eq!(anthropic("claude-opus-4-1").sampling, Field::Accepted);
}

#[test]
fn a_model_without_a_row_gets_only_fields_that_every_model_accepts() {
    let unknown = gemini_live("gemini-9-live");
    assert_eq!(unknown.call_modes, []);
    for row in catalog::GEMINI_LIVE {
        assert!(!unknown.language_code.is_accepted() || row.language_code.is_accepted());
        assert!(!unknown.scheduling.is_accepted() || row.scheduling.is_accepted());
    }
    let unknown = anthropic("claude-next");
    assert_eq!((unknown.thinking, unknown.effort), (Thinking::Unknown, Field::Refused));
    assert_eq!(unknown.forced_tool_choice, Field::Refused);
}

#[test]
fn no_default_model_is_about_to_end() {
    for row in DEFAULTS {
        assert_eq!(shutdown(row.model), None, "{}", row.model);
    }
    assert_eq!(shutdown("gpt-4o-mini-transcribe"), Some("2027-02-26"));
    assert_eq!(shutdown("gpt-5.1-mini"), Some("2027-04-01"));
}

#[test]
fn every_default_has_a_key_and_abilities() {
    for row in DEFAULTS {
        assert!(!key_variable(row.provider).is_empty());
        assert!(!abilities(row.protocol, row.model).is_empty());
    }
}
