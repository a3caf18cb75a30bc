//! Ids lead back to what they were made for.

use super::*;
use crate::openai_realtime::wire::outgoing::audio_frame;

#[test]
fn an_id_says_what_its_event_was_about() {
    let call = CallId::new("call_1_result:x").unwrap();
    let abouts = [
        FaultSubject::Connection,
        FaultSubject::Setup,
        FaultSubject::Text,
        FaultSubject::Audio,
        FaultSubject::Result(call),
        FaultSubject::Reply,
        FaultSubject::Say,
        FaultSubject::Interrupt,
        FaultSubject::Truncate,
    ];
    let mut ids = EventIds::default();
    for expected in abouts {
        assert_eq!(about(&ids.next(&expected)), expected);
    }
}

#[test]
fn no_two_ids_are_the_same() {
    let mut ids = EventIds::default();
    assert_ne!(ids.next(&FaultSubject::Reply), ids.next(&FaultSubject::Reply));
}

#[test]
fn ids_of_others_are_about_nothing_in_particular() {
    for id in ["", "evt_1", "ail_", "ail_1", "ail_1_result:", "ail_1_dance"] {
        assert_eq!(about(id), FaultSubject::Connection, "{id}");
    }
}

#[test]
fn the_id_in_the_frame_of_audio_leads_back_too() {
    let frame: serde_json::Value = serde_json::from_str(&audio_frame(&[0, 0])).unwrap();
    assert_eq!(about(frame["event_id"].as_str().unwrap()), FaultSubject::Audio);
}
