//! A message that was kept for the model to say, questions that are answered in writing, and words that
//! are not asked again.

use aileron_contract::envelope::ConfirmationRequest;

use super::*;

#[test]
fn a_kept_message_is_looked_for_once_when_the_provider_is_ready() {
    let mut logic = logic(Support::No);
    logic.on_provider_event(READY, 0);
    assert_eq!(logic.take_actions()[1..], [VoiceAction::TakePendingMessage]);
    logic.on_notice(ConnectionNotice::Interrupted { attempt: 1, delay: Default::default() }, 1);
    logic.on_provider_event(READY, 2);
    assert!(!logic.take_actions().contains(&VoiceAction::TakePendingMessage));
}

#[test]
fn an_opening_is_asked_for_at_once_and_begins_no_turn() {
    let mut logic = ready(Support::No);
    // The microphone is open already.
    logic.on_audio(5);
    logic.on_pending_message("Here I am.".into(), 10);
    assert_eq!(
        logic.take_actions(),
        [VoiceAction::CommandProvider(ProviderCommand::SendPendingMessage("Here I am.".into()))]
    );
    logic.on_provider_event(audio(SECOND), 20);
    assert_eq!(logic.take_actions(), [VoiceAction::SendAudio(vec![0; SECOND])]);
    logic.on_provider_event(finished(), 30);
    logic.take_actions();
    logic.on_provider_event(words(Speaker::Person, "hello"), 40);
    let input = TurnInput::Spoken { text: "hello".into(), began_ms: 30 };
    assert_eq!(logic.take_actions()[0], VoiceAction::BeginTurn(input));
}

#[test]
fn a_message_that_is_kept_while_a_reply_is_awaited_is_said_after_it() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.take_actions();
    logic.on_pending_message("One thing.".into(), 1);
    assert_eq!(logic.take_actions(), []);
    logic.on_provider_event(audio(2), 2);
    logic.on_provider_event(ProviderEvent::TurnComplete(TurnEnd::Interrupted), 3);
    assert!(!logic.take_actions().contains(&VoiceAction::CommandProvider(
        ProviderCommand::SendPendingMessage("One thing.".into())
    )));
    logic.on_provider_event(finished(), 4);
    let actions = logic.take_actions();
    assert_eq!(
        actions.last(),
        Some(&VoiceAction::CommandProvider(ProviderCommand::SendPendingMessage(
            "One thing.".into()
        )))
    );
}

#[test]
fn words_that_are_not_asked_again_are_told_and_end_the_turn() {
    let mut logic = ready(Support::No);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.take_actions();
    logic.on_notice(ConnectionNotice::Interrupted { attempt: 3, delay: Default::default() }, 1);
    logic.take_actions();
    logic.on_notice(ConnectionNotice::Unanswered, 1);
    let told = "the voice did not finish its reply: several connections to it were lost before it \
                replied; please try again";
    let error = VoiceAction::SendMessage(VoiceServerMessage::error(ErrorCode::ReplyFailed, told));
    assert_eq!(
        logic.take_actions(),
        [error, VoiceAction::SendMessage(VoiceServerMessage::TurnComplete)]
    );
}

fn question() -> Happened {
    let request = json!({
        "token": "v1.abc.def", "expires": 1, "tool": "send", "args": {}, "preview": "Send it",
    });
    let request: ConfirmationRequest = serde_json::from_value(request).unwrap();
    Happened::ConfirmationRequested(Box::new(request))
}

/// How often the confirmation is shown again, and how often the person is reminded how to answer
/// it.
fn reminded(text: &str) -> (usize, usize) {
    let mut logic = ready(Support::No);
    logic.on_conversation_event(question(), 0);
    logic.take_actions();
    logic.on_message(VoiceClientMessage::Text { text: text.into() }, 1);
    let actions = logic.take_actions();
    let again = |act: &&VoiceAction| matches!(act, VoiceAction::SendMessage(VoiceServerMessage::ConfirmationRequest(shown)) if shown.again);
    let told = |act: &&VoiceAction| {
        matches!(
            act,
            VoiceAction::SendMessage(VoiceServerMessage::Error {
                code: ErrorCode::ConfirmationPending,
                ..
            })
        )
    };
    assert!(
        actions.contains(&VoiceAction::CommandProvider(ProviderCommand::Text(text.into()))),
        "the model is told all the same"
    );
    (actions.iter().filter(again).count(), actions.iter().filter(told).count())
}

#[test]
fn a_yes_in_writing_approves_nothing_and_is_told_so() {
    assert_eq!(reminded("yes"), (1, 1));
    assert_eq!(reminded("no, stop"), (0, 0));
    assert_eq!(reminded("what would it cost?"), (0, 0));
    let mut logic = ready(Support::No);
    logic.on_message(VoiceClientMessage::Text { text: "yes".into() }, 1);
    let typed = TurnInput::Typed { text: "yes".into() };
    let actions = [
        VoiceAction::BeginTurn(typed),
        VoiceAction::CommandProvider(ProviderCommand::Text("yes".into())),
    ];
    assert_eq!(logic.take_actions(), actions);
}
