//! The readable parts of a draft's id.

use super::*;

fn draft(title: &str) -> EventDraft {
    EventDraft {
        id: String::new(),
        title: title.to_owned(),
        agenda: String::new(),
        start: "2026-02-05T10:00:00+01:00".to_owned(),
        end: "2026-02-05T11:00:00+01:00".to_owned(),
        time_zone: None,
        attendees: vec!["mira@example.com".to_owned(), "jon@example.com".to_owned()],
        busy: Vec::new(),
        organizer_busy: false,
        video_link: true,
        expires: "2026-02-04T09:00:00Z".to_owned(),
        search: None,
        event_id: None,
    }
    .identified(60)
}

#[test]
fn an_id_can_be_read() {
    let id = draft("Atlas kick-off!").id;
    let (readable, hash) = id.rsplit_once('-').unwrap();
    assert_eq!(readable, "draft-2026-02-05T10:00+01:00-60min-2p-atlas-kick-off");
    assert_eq!(hash.len(), 8);
}

#[test]
fn the_same_plan_has_the_same_id_and_another_plan_another() {
    assert_eq!(draft("Atlas").id, draft("Atlas").id);
    let mut other = draft("Atlas");
    other.agenda = "Scope".to_owned();
    assert_ne!(other.identified(60).id, draft("Atlas").id);
}

#[test]
fn a_title_of_any_script_gives_an_id_of_bounded_length() {
    for (title, part) in
        [("!!!", "-event-"), ("Ärger & Glück", "-ärger-glück-"), ("会議", "-会議-")]
    {
        assert!(draft(title).id.contains(part), "{}", draft(title).id);
    }
    assert!(draft(&"long ".repeat(40)).id.chars().count() < 120);
}
