//! Every combination of state and intent, and of state and event.

use proptest::prelude::*;

use super::*;

const NOW: u64 = 1_700_000_000_000;

/// Rows are states, columns intents. A cell is a refusal, or an effect and the next state:
/// `nothing` alone leaves the state unchanged, `*` changes only flags.
const INTENTS: &str = "
.                end_now         end_turn          end_farewell              start                 mute        hide   note      block
text             wrong_mode      wrong_mode        wrong_mode                start>text_requested  wrong_mode  hide*  nothing*  block
text_requested   wrong_mode      wrong_mode        wrong_mode                requested             wrong_mode  hide*  nothing*  block
text_voice       wrong_mode      wrong_mode        wrong_mode                active                wrong_mode  hide*  nothing*  block
voice            now>ending_now  turn>ending_turn  farewell>ending_farewell  wrong_mode            mute*       hide*  nothing*  block
ending_now       nothing         nothing           nothing                   wrong_mode            mute*       hide*  nothing*  block
ending_turn      now>ending_now  nothing           nothing                   wrong_mode            mute*       hide*  nothing*  block
ending_farewell  now>ending_now  turn>ending_turn  nothing                   wrong_mode            nothing*    hide*  nothing*  block
moved            now>moved_now   turn>moved_turn   farewell>moved_farewell   wrong_mode            mute*       hide*  nothing*  block
moved_lost       now>moved_now   turn>moved_turn   farewell>moved_farewell   wrong_mode            mute*       hide*  nothing*  block
moved_now        nothing         nothing           nothing                   wrong_mode            mute*       hide*  nothing*  block
moved_turn       now>moved_now   nothing           nothing                   wrong_mode            mute*       hide*  nothing*  block
moved_farewell   now>moved_now   turn>moved_turn   nothing                   wrong_mode            nothing*    hide*  nothing*  block
ended_text       ended           ended             ended                     ended                 ended       ended  ended     ended
ended_voice      ended           ended             ended                     ended                 ended       ended  ended     ended
";

const HAPPENINGS: &str = "
.                began           complete        farewell        overdue         connected           disconnected        closed
text             nothing         nothing         no_farewell     not_ending      not_requested       not_requested       nothing>ended_text
text_requested   nothing         nothing         no_farewell     not_ending      nothing>text_voice  nothing>text        nothing>ended_text
text_voice       nothing         nothing         no_farewell     not_ending      active              nothing>text        nothing>ended_text
voice            nothing         nothing         no_farewell     not_ending      nothing             nothing             nothing>ended_voice
ending_now       nothing         nothing         no_farewell     now             nothing             nothing>tool_ended  nothing>ended_voice
ending_turn      now>ending_now  now>ending_now  no_farewell     now>ending_now  nothing             nothing>tool_ended  nothing>ended_voice
ending_farewell  nothing         nothing         now>ending_now  now>ending_now  nothing             nothing>tool_ended  nothing>ended_voice
moved            nothing         nothing         no_farewell     not_ending      nothing             nothing>moved_lost  nothing>ended_voice
moved_lost       nothing         nothing         no_farewell     not_ending      nothing>moved       nothing             nothing>ended_voice
moved_now        nothing         nothing         no_farewell     now             nothing             nothing>text        nothing>ended_voice
moved_turn       now>moved_now   now>moved_now   no_farewell     now>moved_now   nothing             nothing>text        nothing>ended_voice
moved_farewell   nothing         nothing         now>moved_now   now>moved_now   nothing             nothing>text        nothing>ended_voice
ended_text       ended           ended           ended           ended           ended               ended               ended
ended_voice      ended           ended           ended           ended           ended               ended               ended
";

/// The states a conversation can be in, flags aside.
const STATES: [&str; 14] = [
    "text",
    "text_requested",
    "text_voice",
    "voice",
    "ending_now",
    "ending_turn",
    "ending_farewell",
    "moved",
    "moved_lost",
    "moved_now",
    "moved_turn",
    "moved_farewell",
    "ended_text",
    "ended_voice",
];

fn state(name: &str) -> ConversationState {
    let text = |voice| ConversationState { voice, ..ConversationState::new(Mode::Text) };
    let ending = |after| ConversationState {
        voice: VoiceState::Ending { after },
        ..ConversationState::new(Mode::Voice)
    };
    let ended = |mode, reason| ConversationState {
        lifecycle: Lifecycle::Ended { reason },
        voice: VoiceState::Off,
        ..ConversationState::new(mode)
    };
    let moved = |voice| ConversationState {
        voice,
        returns_to_text: true,
        ..ConversationState::new(Mode::Voice)
    };
    match name {
        "moved" => moved(VoiceState::Active),
        "moved_lost" => moved(VoiceState::Off),
        "moved_now" => moved(VoiceState::Ending { after: EndAfter::Immediate }),
        "moved_turn" => moved(VoiceState::Ending { after: EndAfter::CurrentTurn }),
        "moved_farewell" => moved(VoiceState::Ending { after: EndAfter::FarewellSpoken }),
        "text" => text(VoiceState::Off),
        "text_requested" => text(VoiceState::Requested),
        "text_voice" => text(VoiceState::Active),
        "voice" => ConversationState::new(Mode::Voice),
        "ending_now" => ending(EndAfter::Immediate),
        "ending_turn" => ending(EndAfter::CurrentTurn),
        "ending_farewell" => ending(EndAfter::FarewellSpoken),
        "ended_text" => ended(Mode::Text, EndReason::Person),
        "ended_voice" => ended(Mode::Voice, EndReason::Person),
        "tool_ended" => ended(Mode::Voice, EndReason::Tool),
        other => panic!("no state {other}"),
    }
}

fn answer(name: &str) -> Result<StateEffect, StateError> {
    Ok(match name {
        "nothing" => StateEffect::Nothing,
        "start" => StateEffect::StartVoice,
        "now" => StateEffect::EndVoice { after: EndAfter::Immediate },
        "turn" => StateEffect::EndVoice { after: EndAfter::CurrentTurn },
        "farewell" => StateEffect::EndVoice { after: EndAfter::FarewellSpoken },
        "mute" => StateEffect::SuppressAudio { value: true },
        "hide" => StateEffect::SuppressTranscript { value: true },
        "block" => StateEffect::BlockUser { until: NOW + 60_000 },
        "wrong_mode" => return Err(StateError::WrongMode),
        "requested" => return Err(StateError::VoiceAlreadyRequested),
        "active" => return Err(StateError::VoiceAlreadyActive),
        "not_requested" => return Err(StateError::VoiceNotRequested),
        "not_ending" => return Err(StateError::NotEnding),
        "no_farewell" => return Err(StateError::NoFarewellAwaited),
        "ended" => return Err(StateError::ConversationEnded),
        other => panic!("no answer {other}"),
    })
}

/// The name of an intent's column. An added variant has to be named here, and then the table lacks
/// its column.
fn intent_column(intent: &Intent) -> &'static str {
    match intent {
        Intent::EndVoiceSession { after: EndAfter::Immediate } => "end_now",
        Intent::EndVoiceSession { after: EndAfter::CurrentTurn } => "end_turn",
        Intent::EndVoiceSession { after: EndAfter::FarewellSpoken } => "end_farewell",
        Intent::StartVoiceSession => "start",
        Intent::SuppressAudio { .. } => "mute",
        Intent::SuppressTranscript { .. } => "hide",
        Intent::SetPendingMessage { .. } => "note",
        Intent::BlockUser { .. } => "block",
    }
}

fn intents() -> Vec<Intent> {
    vec![
        Intent::EndVoiceSession { after: EndAfter::Immediate },
        Intent::EndVoiceSession { after: EndAfter::CurrentTurn },
        Intent::EndVoiceSession { after: EndAfter::FarewellSpoken },
        Intent::StartVoiceSession,
        Intent::SuppressAudio { value: true },
        Intent::SuppressTranscript { value: true },
        Intent::SetPendingMessage { message: "Hello.".to_owned() },
        Intent::BlockUser { until: NOW + 60_000 },
    ]
}

fn happening_column(event: StateEvent) -> &'static str {
    match event {
        StateEvent::TurnBegan => "began",
        StateEvent::TurnComplete => "complete",
        StateEvent::FarewellSpoken => "farewell",
        StateEvent::EndOverdue => "overdue",
        StateEvent::VoiceConnected => "connected",
        StateEvent::VoiceDisconnected => "disconnected",
        StateEvent::Closed(_) => "closed",
    }
}

const ALL_HAPPENINGS: [StateEvent; 7] = [
    StateEvent::TurnBegan,
    StateEvent::TurnComplete,
    StateEvent::FarewellSpoken,
    StateEvent::EndOverdue,
    StateEvent::VoiceConnected,
    StateEvent::VoiceDisconnected,
    StateEvent::Closed(EndReason::Person),
];

/// The cell of a table; a pair that is missing fails.
fn cell<'a>(table: &'a str, row: &str, column: &str) -> &'a str {
    let mut lines = table.trim().lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = head.iter().position(|name| *name == column);
    let line = lines.find(|cells| cells[0] == row);
    let found = at.zip(line).and_then(|(at, line)| line.get(at).copied());
    found.unwrap_or_else(|| panic!("the table lacks {row} x {column}"))
}

#[track_caller]
fn check(
    cell: &str,
    from: &str,
    found: Result<StateEffect, StateError>,
    after: &ConversationState,
) {
    let (expected, to) = cell.split_once('>').unwrap_or((cell, from));
    assert_eq!(found, answer(expected.trim_end_matches('*')));
    if !cell.ends_with('*') {
        assert_eq!(after, &state(to));
    } else {
        assert_eq!((after.voice, after.lifecycle), (state(to).voice, state(to).lifecycle));
        assert_ne!(after, &state(to));
    }
}

#[test]
fn every_state_answers_every_intent() {
    for (row, intent) in STATES.iter().flat_map(|s| intents().into_iter().map(move |i| (s, i))) {
        let mut after = state(row);
        let found = after.apply(&intent, NOW);
        check(cell(INTENTS, row, intent_column(&intent)), row, found, &after);
    }
}

#[test]
fn every_state_follows_every_happening() {
    for (row, what) in STATES.iter().flat_map(|s| ALL_HAPPENINGS.map(|h| (s, h))) {
        let mut after = state(row);
        let found = after.on_event(what);
        check(cell(HAPPENINGS, row, happening_column(what)), row, found, &after);
    }
}

#[test]
fn the_tables_are_full() {
    let columns = [(INTENTS, intents().len()), (HAPPENINGS, ALL_HAPPENINGS.len())];
    for (table, columns) in columns {
        let lines: Vec<_> = table.trim().lines().collect();
        assert_eq!(lines.len(), STATES.len() + 1);
        for line in lines {
            assert_eq!(line.split_whitespace().count(), columns + 1, "{line}");
        }
    }
}

#[test]
fn a_conversation_awaits_the_person_where_it_is_held_or_asked_to_go() {
    for (name, text, voice) in [
        ("text", true, false),
        ("text_requested", true, true),
        ("text_voice", true, false),
        ("voice", false, true),
        ("ending_now", false, true),
        ("moved", false, true),
        ("moved_lost", true, true),
        ("moved_now", true, true),
        ("moved_farewell", true, true),
    ] {
        let state = state(name);
        assert_eq!(
            (state.accepts_mode(Mode::Text), state.accepts_mode(Mode::Voice)),
            (text, voice),
            "{name}"
        );
    }
}

#[test]
fn a_move_leads_to_the_other_mode_and_back() {
    let mut moving = state("text_requested");
    moving.apply(&Intent::SetPendingMessage { message: "kept".to_owned() }, NOW).unwrap();
    moving.move_to(Mode::Voice);
    assert_eq!(moving.take_pending_message(), Some("kept".to_owned()));
    assert_eq!(moving, state("moved"));
    moving.apply(&Intent::SuppressAudio { value: true }, NOW).unwrap();
    moving.move_to(Mode::Text);
    assert_eq!(moving, state("text"));
    let mut staying = state("ending_turn");
    staying.move_to(Mode::Voice);
    assert_eq!(staying, state("ending_turn"), "whoever is there does not move");
}

#[test]
fn a_block_lasts_from_now_to_a_day() {
    let block = |until| ConversationState::new(Mode::Text).apply(&Intent::BlockUser { until }, NOW);
    assert_eq!(block(0), Err(StateError::BlockInThePast));
    assert_eq!(block(NOW), Err(StateError::BlockInThePast));
    assert_eq!(block(NOW + 1), Ok(StateEffect::BlockUser { until: NOW + 1 }));
    let longest = NOW + 86_460_000;
    assert_eq!(block(longest), Ok(StateEffect::BlockUser { until: longest }));
    assert_eq!(block(longest + 1), Ok(StateEffect::BlockUser { until: longest }));
    assert_eq!(block(u64::MAX), Ok(StateEffect::BlockUser { until: longest }));
    let late = ConversationState::new(Mode::Text)
        .apply(&Intent::BlockUser { until: u64::MAX }, u64::MAX - 1);
    assert_eq!(late, Ok(StateEffect::BlockUser { until: u64::MAX }));
}

#[test]
fn a_block_does_not_end_the_conversation() {
    let mut state = ConversationState::new(Mode::Text);
    state.apply(&Intent::BlockUser { until: NOW + 1 }, NOW).unwrap();
    assert_eq!(state, ConversationState::new(Mode::Text));
}

#[test]
fn the_farewell_is_heard_and_nothing_after_it() {
    let mut state = ConversationState::new(Mode::Voice);
    let farewell = Intent::EndVoiceSession { after: EndAfter::FarewellSpoken };
    state.apply(&farewell, NOW).unwrap();
    let quiet = state.apply(&Intent::SuppressAudio { value: true }, NOW);
    assert_eq!((quiet, state.audio_suppressed()), (Ok(StateEffect::Nothing), false));
    let spoken = state.on_event(StateEvent::FarewellSpoken);
    assert_eq!(spoken, Ok(StateEffect::EndVoice { after: EndAfter::Immediate }));
    assert!(state.audio_suppressed());
}

#[test]
fn suppression_is_announced_when_it_changes() {
    let mut state = ConversationState::new(Mode::Voice);
    for (value, effect) in [
        (false, StateEffect::Nothing),
        (true, StateEffect::SuppressAudio { value: true }),
        (true, StateEffect::Nothing),
        (false, StateEffect::SuppressAudio { value: false }),
    ] {
        assert_eq!(state.apply(&Intent::SuppressAudio { value }, NOW), Ok(effect));
        assert_eq!(state.audio_suppressed(), value);
    }
    let hide = Intent::SuppressTranscript { value: true };
    assert_eq!(state.apply(&hide, NOW), Ok(StateEffect::SuppressTranscript { value: true }));
    assert_eq!(state.apply(&hide, NOW), Ok(StateEffect::Nothing));
    assert!(state.transcript_suppressed());
}

#[test]
fn the_last_message_waits_and_is_taken_once() {
    let mut state = ConversationState::new(Mode::Text);
    let mut set = |message: &str| {
        let message = message.to_owned();
        state.apply(&Intent::SetPendingMessage { message }, NOW)
    };
    assert_eq!(set("first"), Ok(StateEffect::Nothing));
    assert_eq!(set(&"é".repeat(LONGEST_MESSAGE)), Ok(StateEffect::Nothing));
    assert_eq!(set("second"), Ok(StateEffect::Nothing));
    assert_eq!(set(" \n"), Err(StateError::EmptyMessage));
    assert_eq!(set(&"é".repeat(LONGEST_MESSAGE + 1)), Err(StateError::MessageTooLong));
    assert_eq!(state.take_pending_message().as_deref(), Some("second"));
    assert_eq!(state.take_pending_message(), None);
}

#[test]
fn a_state_is_written_and_read_back() {
    for name in STATES {
        let mut state = state(name);
        state.pending_message = Some("Hello.".to_owned());
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<ConversationState>(&text).unwrap(), state, "{text}");
    }
    let text = serde_json::to_string(&state("ending_turn")).unwrap();
    assert_eq!(
        text,
        r#"{"mode":"voice","standing":{"is":"active"},"voice":{"is":"ending","after":"current_turn"},"suppressAudio":false,"suppressTranscript":false}"#
    );
}

fn any_step() -> impl Strategy<Value = Result<Intent, StateEvent>> {
    prop_oneof![
        prop::sample::select(intents()).prop_map(Ok),
        prop::sample::select(ALL_HAPPENINGS.to_vec()).prop_map(Err),
    ]
}

proptest! {
    #[test]
    fn a_refusal_changes_nothing_and_an_end_is_final(
        first in prop::sample::select(STATES.to_vec()),
        steps in prop::collection::vec(any_step(), 0..20),
    ) {
        let mut state = state(first);
        for step in steps {
            let before = state.clone();
            let answer = match step {
                Ok(intent) => state.apply(&intent, NOW),
                Err(event) => state.on_event(event),
            };
            let ended = matches!(before.lifecycle(), Lifecycle::Ended { .. });
            prop_assert!(!ended || answer == Err(StateError::ConversationEnded));
            prop_assert!(answer.is_ok() || state == before);
            // Only the end of a voice session that was started from a text conversation changes the
            // mode.
            let stays = state.mode() == before.mode();
            prop_assert!(stays || (before.returns_to_text && state.mode() == Mode::Text));
        }
    }
}
