//! Ids that are suggested for one that no record has.

use aileron_contract::kb::Namespace;
use tempfile::TempDir;

use super::KnowledgeBase;
use crate::change::IndexStart;
use crate::search::fixture::record;

fn with(ids: impl IntoIterator<Item = String>) -> (TempDir, KnowledgeBase) {
    let folder = TempDir::new().unwrap();
    let kb = KnowledgeBase::at(folder.path(), None);
    let mut change = kb.begin(IndexStart::Continue).unwrap();
    for id in ids {
        let title = id.split_once(':').unwrap().1.replace('_', " ");
        change.put(record(&id, &title, "A record of the studio."), "test").unwrap();
    }
    change.commit().unwrap();
    (folder, kb)
}

fn suggested(kb: &KnowledgeBase, id: &str) -> Vec<String> {
    kb.read(&[id.to_owned()], &Namespace::ALL).unwrap().missing.remove(0).closest
}

#[test]
fn a_misspelt_id_gets_the_one_that_was_meant() {
    let others =
        ["doc:fire_drill", "process:lighting_review", "project:atlas", "person:mirea_hall"];
    let (_folder, kb) = with(others.into_iter().chain(["person:mira_holt"]).map(str::to_owned));
    for id in [
        "person:mira_hold",
        "person:mira_hlot",
        "persn:mira_holt",
        "person:nira_holt",
        "person:mira-holt",
        "person:holt_mira",
        "people:mira_holt",
        "doc:mira_holt",
        "mira_holt",
        "Mira Holt",
    ] {
        assert_eq!(
            suggested(&kb, id).first().map(String::as_str),
            Some("person:mira_holt"),
            "{id}"
        );
    }
}

#[test]
fn an_id_like_none_gets_no_suggestion() {
    let (_folder, kb) = with(["person:mira_holt".to_owned()]);
    for id in ["", ":", "x", "doc:none", "quarterly figures of the studio", &"zq".repeat(5_000)] {
        assert_eq!(suggested(&kb, id), Vec::<String>::new(), "{id}");
    }
}

#[test]
fn at_most_three_are_suggested_and_the_most_similar_among_many_is_one() {
    let many = (0..400).map(|number| format!("doc:review_of_shot_{number:03}"));
    let (_folder, kb) = with(many.chain(["doc:lantern_review_of_shot_x".to_owned()]));
    assert_eq!(suggested(&kb, "note:review_of_shot_123")[0], "doc:review_of_shot_123");
    assert_eq!(suggested(&kb, "note:review_of_shot_123").len(), 3);
    assert_eq!(suggested(&kb, "note:lantern_review_of_shot")[0], "doc:lantern_review_of_shot_x");
}
