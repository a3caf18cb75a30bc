//! Both flows over the HTTP API: the answers, the created things, and where they are shown.

use super::conversation::Page;
use super::{events, served};
use crate::workspace::Workspace;

const TOKEN: &str = "ada-a-token-of-the-tests";
const OTHER: &str = "bob-a-token-of-the-tests";
const MEET: &str = "Schedule half an hour with mira@example.com tomorrow about the lighting review";

#[test]
fn a_meeting_is_proposed_approved_and_in_the_calendar() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "c" };
    let proposed = page.say(MEET);
    let slots = proposed.output("calendar_propose_event")["slots"].as_array().unwrap().clone();
    assert!(slots.len() > 1, "{slots:?}");
    assert!(proposed.text().contains("Nothing is booked yet"), "{}", proposed.text());
    let asked = page.say("Book the second one");
    let question = &asked.one("data-confirmation")["data"];
    assert_eq!(question["args"]["event_draft_id"], slots[1]["event_draft_id"]);
    let preview = question["preview"].as_str().unwrap();
    let hour = slots[1]["start"].as_str().unwrap().get(11..16).unwrap();
    for part in [
        "Create this event: \"Lighting review\", ".to_owned(),
        format!(", {hour} to "),
        " (UTC), with mira@example.com; no video link (no invitations are sent)".to_owned(),
    ] {
        assert!(preview.contains(&part), "{part} in {preview}");
    }
    assert_eq!(events(&workspace).len(), 0, "nothing before the person has said yes");
    let done = page.decide(&asked, true);
    let made = &done.one("tool-output-available")["output"];
    assert_eq!((&made["start"], &made["invitations"]), (&slots[1]["start"], &"not_sent".into()));
    assert!(done.text().contains("Booked: “Lighting review”"), "{}", done.text());
    assert!(done.text().contains("No invitations were sent"), "{}", done.text());
    let files = events(&workspace);
    assert_eq!(files.len(), 1);
    assert!(files[0].contains("SUMMARY:Lighting review"), "{}", files[0]);
    // The same answer once more, as after a lost connection, makes nothing.
    page.decide(&asked, true);
    assert_eq!(events(&workspace).len(), 1);
}

#[test]
fn a_meeting_that_is_declined_is_not_made() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "c" };
    page.say(MEET);
    let asked = page.say("Book the first one");
    let done = page.decide(&asked, false);
    done.one("tool-output-denied");
    assert_eq!(events(&workspace).len(), 0);
}

#[test]
fn a_picture_is_drafted_made_shown_and_served_to_its_person_alone() {
    let workspace = Workspace::new();
    let tokens = format!("ada {TOKEN}\nbob {OTHER}");
    let server = served(&workspace, &[("AILERON_TOKENS", tokens.as_str())]);
    let page = Page { server: &server, token: Some(TOKEN), conversation: "c" };
    let drafted = page.say("Draw me a lighthouse at dusk");
    let variants = drafted.output("image_draft_prompt")["variants"].as_array().unwrap().len();
    assert_eq!(variants, 3);
    let made = page.say("Make the second one");
    let image = &made.output("image_generate")["images"][0];
    assert_eq!(image["made_by"], "built-in card");
    let shown = &made.one("data-message")["data"]["message"];
    assert_eq!((&shown["type"], &shown["imageId"]), (&"image".into(), &image["id"]));
    assert_eq!(shown["caption"], "a lighthouse at dusk");
    let address = shown["url"].as_str().unwrap();
    assert_eq!(address, format!("/v1/images/{}", image["id"].as_str().unwrap()));
    let (head, bytes) = page.fetch(address);
    assert!(head.contains(" 200 ") && head.contains("content-type: image/png"), "{head}");
    assert!(bytes.starts_with(b"\x89PNG"));
    for (token, status) in [(None, " 401 "), (Some(OTHER), " 404 ")] {
        let other = Page { server: &server, token, conversation: "c" };
        assert!(other.fetch(address).0.contains(status), "{token:?}");
    }
}
