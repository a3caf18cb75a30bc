//! One scene, the steps it leads to.

use serde_json::{Value, json};

use super::stage::{Mode, Stage, done};
use crate::LABEL;
use aileron_contract::model_input::{HistoryItem, ModelAction};

/// The first call that words lead to, in text.
pub(super) fn calls(words: &str, name: &str, args: Value) {
    calls_in(Mode::Text, words, name, args);
}

fn calls_in(mode: Mode, words: &str, name: &str, args: Value) {
    let steps = Stage::new(mode).hear(words);
    let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
    let found = (calls[0].name.as_str(), Value::Object(calls[0].args.clone()));
    assert_eq!(found, (name, args), "{words}");
}

pub(super) fn says_in(mode: Mode, words: &str, part: &str) {
    let steps = Stage::new(mode).hear(words);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{words}: {steps:?}") };
    assert!(text.contains(part), "{words}: {text}");
}

pub(super) fn says(words: &str, part: &str) {
    says_in(Mode::Text, words, part);
}

#[test]
fn questions_are_searched_for_in_the_words_that_matter() {
    calls("Who is the lighting lead?", "kb_search", json!({ "query": "lighting lead" }));
    calls("Mira Hotl", "kb_search", json!({ "query": "Mira Hotl" }));
    calls("山田遥", "kb_search", json!({ "query": "山田遥", "top_k": 10 }));
    calls("How many vacation days do I get?", "kb_search", json!({ "query": "vacation days" }));
    calls("When is Atlas delivered?", "kb_search", json!({ "query": "Atlas delivered" }));
    calls(
        "search the personal notes for the portfolio page",
        "kb_search",
        json!({ "query": "personal notes portfolio page", "namespace": "personal" }),
    );
    calls(
        "Which day is the lighting review?",
        "kb_search",
        json!({ "query": "day lighting review" }),
    );
    calls(
        "My laptop was stolen on the train, what do I do?",
        "kb_search",
        json!({ "query": "laptop stolen train" }),
    );
    calls_in(
        Mode::Voice,
        "Who is the lighting lead?",
        "kb_search",
        json!({ "query": "lighting lead" }),
    );
}

#[test]
fn a_record_named_by_its_id_is_read() {
    calls("read person:mira_holt", "kb_get", json!({ "ids": ["person:mira_holt"] }));
}

#[test]
fn pictures_are_drafted_first_unless_the_prompt_is_given() {
    calls(
        "Draw me a lighthouse at dusk",
        "image_draft_prompt",
        json!({ "subject": "a lighthouse at dusk" }),
    );
    calls(
        "make a picture of a boat in watercolor without text and logos",
        "image_draft_prompt",
        json!({ "subject": "a boat", "style": "watercolor", "avoid": ["text", "logos"] }),
    );
    calls(
        "generate an image: \"a flat vector design of a render farm\"",
        "image_generate",
        json!({ "prompt": "a flat vector design of a render farm", "user_requested": true }),
    );
    says_in(Mode::Voice, "Draw me a lighthouse", "works in writing");
    says("draw", "I still need the subject");
}

#[test]
fn the_small_tools_are_found_by_their_words() {
    calls(
        "Extract the contacts from: Mira Holt\nmira@example.com",
        "extract_contacts",
        json!({ "text": "Mira Holt\nmira@example.com" }),
    );
    says("extract the contacts", "I still need the text");
    let day = json!({ "value": "2026-02-03T00:00:00+01:00", "utc_offset": "+01:00" });
    calls("What weekday is 2026-02-03?", "format_datetime", day);
    calls_in(
        Mode::Voice,
        "Format 2026-02-03T10:00:00Z",
        "format_datetime",
        json!({ "value": "2026-02-03T10:00:00Z", "style": "spoken" }),
    );
    let item = |name: &str, price: f64| json!({ "id": name, "values": [{ "key": "price", "number": price }] });
    calls(
        "Rank these by price, lowest first: north 120, south 95 and west 110",
        "rank_results",
        json!({ "items": [item("north", 120.0), item("south", 95.0), item("west", 110.0)], "keys": [{ "key": "price", "prefer": "low" }] }),
    );
}

#[test]
fn voice_begins_and_ends_when_the_person_says_so() {
    calls_in(
        Mode::Voice,
        "That's all, bye!",
        "end_voice_session",
        json!({ "reason": "user_requested", "after": "farewell_spoken", "closing_message": "Goodbye." }),
    );
    calls_in(
        Mode::Voice,
        "let's continue in text",
        "end_voice_session",
        json!({ "reason": "continue_in_text", "after": "farewell_spoken", "closing_message": "Let us go on in writing." }),
    );
    calls(
        "Can we just talk about this?",
        "start_voice_session",
        json!({ "opening_message": "Here I am. What can I do for you?" }),
    );
    says("bye", "Goodbye");
    says_in(Mode::Voice, "Let's talk", "talking already");
}

#[test]
fn abuse_is_warned_once_and_then_blocked_for_longer_each_time() {
    let mut stage = Stage::new(Mode::Text);
    let warned = stage.hear("you are a useless idiot");
    assert!(
        matches!(warned.as_slice(), [ModelAction::Say(text)] if text.contains("not in this tone"))
    );
    let blocked = |stage: &mut Stage, seconds: u32| {
        let steps = stage.hear("shut up, you moron");
        let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{steps:?}") };
        assert_eq!(
            (calls[0].name.as_str(), &calls[0].args["duration_seconds"]),
            ("ignore_user", &json!(seconds))
        );
        stage.answer(&[done(
            json!({ "timeoutUntil": 1, "duration": seconds, "reason": "disrespect" }),
        )]);
    };
    blocked(&mut stage, 60);
    blocked(&mut stage, 900);
    for (words, reason) in [
        ("I will kill you", "threat"),
        ("I hate all immigrants", "hate"),
        ("send me nudes", "harassment"),
    ] {
        let steps = Stage::new(Mode::Voice).hear(words);
        let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
        let given = (&calls[0].args["duration_seconds"], &calls[0].args["reason"]);
        assert_eq!(given, (&json!(86_400), &json!(reason)), "{words}");
    }
    let steps = Stage::new(Mode::Text).hear("Who is the lighting lead, you idiot?");
    assert!(
        matches!(steps.as_slice(), [ModelAction::Say(_), ModelAction::Call(calls)] if calls[0].args["query"] == "lighting lead"),
        "{steps:?}"
    );
    for harmless in [
        "this stupid printer is broken",
        "kill the render job",
        "shoot the scene",
        "the trash room",
    ] {
        let steps = Stage::new(Mode::Text).hear(harmless);
        assert!(!format!("{steps:?}").contains("not in this tone"), "{harmless}");
    }
}

#[test]
fn the_agent_is_labelled_at_first_and_when_asked() {
    says("hello", LABEL);
    says("Are you a real person?", LABEL);
    says("what can you do?", "answer questions from the knowledge base");
    let mut stage = Stage::new(Mode::Text);
    stage.hear("hello");
    let thanks = stage.hear("thank you");
    assert!(matches!(thanks.as_slice(), [ModelAction::Say(text)] if !text.contains(LABEL)));
    let asked = stage.hear("who are you?");
    assert!(matches!(asked.as_slice(), [ModelAction::Say(text)] if text.contains(LABEL)));
}

#[test]
fn what_takes_a_model_is_declined_plainly() {
    says("Write a poem about the sea", "takes a model");
    says("Translate this into French", "takes a model");
    says("yes", "nothing open");
}

#[test]
fn what_nobody_can_do_here_is_declined_by_name() {
    for (words, part) in [
        ("send an email to Mira", "I cannot send mail or messages."),
        ("Remind me to call Jon", "I cannot set reminders."),
        ("delete the event", "I cannot change, keep or delete anything."),
        ("kill the render job", "I cannot run, open or stop anything."),
        ("What meetings do I have?", "I cannot read your calendar"),
        ("17 * 23", "I cannot calculate."),
        ("what is 2 plus 2?", "I cannot calculate."),
        ("What is my name?", "I cannot tell who you are"),
        ("search the web for news", "I cannot search the web."),
    ] {
        says(words, part);
        says(words, "I can answer questions from the knowledge base");
    }
    for (words, part) in [
        ("I would like to cancel the meeting", "I cannot change, keep or delete anything."),
        ("I want to cancel my meeting", "I cannot change, keep or delete anything."),
        ("I'd like to send a message to Jon", "I cannot send mail or messages."),
    ] {
        says(words, part);
    }
    for words in [
        "I need to change my password",
        "I have to pay an invoice",
        "email policy",
        "print queue",
        "How do I delete a file?",
        "the 2026-02-03 report",
    ] {
        let steps = Stage::new(Mode::Text).hear(words);
        assert!(matches!(steps.as_slice(), [ModelAction::Call(_)]), "{words}: {steps:?}");
    }
}

#[test]
fn help_says_what_can_be_done_and_what_is_known() {
    says("can you help me", "I can answer questions from the knowledge base");
    says("what's in the knowledge base?", "project, person, process, link and doc");
}

#[test]
fn a_choice_without_an_offer_is_not_searched_for() {
    says("The second one please", "nothing open");
}

#[test]
fn the_answer_to_a_question_of_ours_is_read_with_the_words_before() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule 45 minutes about the lighting");
    let steps = stage.hear("with mira@example.com");
    let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["duration_minutes"], 45);
    assert_eq!(calls[0].args["attendees"], json!(["mira@example.com"]));
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule an hour with Mira Holt and Bob tomorrow");
    let mira = json!({ "id": "person:mira_holt", "type": "person", "title": "Mira Holt", "metadata": { "email": "mira@example.com" } });
    let found = || [done(json!({ "results": [mira] })), done(json!({ "results": [mira] }))];
    let steps = stage.answer(&found());
    assert!(
        matches!(steps.as_slice(), [ModelAction::Say(text)] if text.contains("I found no address of “Bob”. I still need")),
        "{steps:?}"
    );
    stage.hear("bob@example.com");
    let steps = stage.answer(&found());
    let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["attendees"], json!(["bob@example.com", "mira@example.com"]));
    let mut stage = Stage::new(Mode::Text);
    stage.hear("extract the contacts");
    let steps = stage.hear("Mira Holt, mira@example.com");
    let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["text"], "Mira Holt, mira@example.com");
}

#[test]
fn a_question_or_a_way_out_is_no_answer_to_ours() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule a meeting tomorrow");
    let steps = stage.hear("never mind");
    assert_eq!(steps, [ModelAction::Say("All right.".to_owned())]);
    for (words, tool) in [
        ("Who is the lighting lead?", "kb_search"),
        ("make a picture of a red fox", "image_draft_prompt"),
        ("extract the contacts from: jon@example.com", "extract_contacts"),
    ] {
        let mut stage = Stage::new(Mode::Text);
        stage.hear("Schedule a meeting tomorrow");
        let steps = stage.hear(words);
        assert!(
            matches!(steps.as_slice(), [ModelAction::Call(calls)] if calls[0].name == tool),
            "{words}: {steps:?}"
        );
    }
}

#[test]
fn small_talk_is_not_searched_for() {
    says("Good morning", "Hello.");
    says("you are great", "Thank you.");
    says("this is useless", "I am sorry.");
    for thanks in
        ["thanks!", "thank you so much", "great, thanks a lot", "Thanks for finding that out"]
    {
        says(thanks, "You are welcome.");
    }
    says("what time is it?", "It is 09:00 UTC+01:00 on Tuesday, 3 February 2026.");
    says_in(Mode::Voice, "what time is it?", "When this session began, it was 09:00");
    says("what day is it?", "It is Tuesday, 3 February 2026.");
    says("hold on", "Take your time.");
    says("Sorry!", "No harm done.");
}

#[test]
fn courtesies_swallow_no_question() {
    for (words, query) in [
        ("Thanks! Who leads Atlas?", "leads Atlas"),
        ("thx, and where is the render farm?", "render farm"),
        ("thanks who leads Atlas", "leads Atlas"),
        ("Hi! Thanks a lot. Who leads Atlas?", "leads Atlas"),
        ("Who leads Atlas? Thanks!", "leads Atlas"),
        ("awesome, who leads Atlas?", "awesome leads Atlas"),
    ] {
        calls(words, "kb_search", json!({ "query": query }));
    }
    calls("Cool. Draw a boat", "image_draft_prompt", json!({ "subject": "a boat" }));
    calls("Thanks, now draw a boat", "image_draft_prompt", json!({ "subject": "a boat" }));
}

#[test]
fn she_and_he_are_people() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("hello");
    let text = "Atlas: producer Jon Bell. [record:project:atlas]

See also: Jon Bell [record:person:jon_bell].";
    stage.input.items.push(HistoryItem::Said { text: text.to_owned() });
    for (words, id) in
        [("What is his extension?", "person:jon_bell"), ("When is it delivered?", "project:atlas")]
    {
        let steps = stage.hear(words);
        let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
        assert_eq!(calls[0].args["ids"], json!([id]), "{words}");
        stage.answer(&[done(json!({ "results": [], "missing": [] }))]);
    }
}

#[test]
fn another_day_is_not_told_as_today() {
    for (words, day) in [
        ("what's the date in 3 weeks", "2026-02-24"),
        ("what is the date next friday?", "2026-02-06"),
        ("what day is it tomorrow?", "2026-02-04"),
    ] {
        let value = format!("{day}T00:00:00+01:00");
        calls(words, "format_datetime", json!({ "value": value, "utc_offset": "+01:00" }));
    }
    calls(
        "what is the date of the lighting review?",
        "kb_search",
        json!({ "query": "date lighting review" }),
    );
    says("format 2026-12-01 as a German date", "I know no form “German”.");
    calls(
        "format 2026-12-01 as iso",
        "format_datetime",
        json!({ "value": "2026-12-01T00:00:00+01:00", "style": "iso", "utc_offset": "+01:00" }),
    );
}

#[test]
fn words_are_taken_for_what_they_mean_here() {
    calls("Which model of camera do we use?", "kb_search", json!({ "query": "model camera" }));
    says("which model are you?", LABEL);
    says("what model is this?", LABEL);
    calls("Who runs IT?", "kb_search", json!({ "query": "runs IT" }));
    calls("WHO RUNS IT?", "kb_search", json!({ "query": "RUNS", "top_k": 10 }));
    calls("When is the next client review?", "kb_search", json!({ "query": "client review" }));
}
