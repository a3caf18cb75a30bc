//! Drafts over a real file.

use super::*;

fn kept(id: &str, expires_ms: i64) -> NewDraft {
    NewDraft { id: id.to_owned(), content: format!("{{\"id\":\"{id}\"}}"), expires_ms }
}

struct Desk {
    _folder: tempfile::TempDir,
    drafts: Drafts,
    path: PathBuf,
}

fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/drafts.db");
    Desk { drafts: Drafts::at(&path), path, _folder: folder }
}

async fn find(drafts: &Drafts, conversation: &str, id: &str) -> Option<StoredDraft> {
    drafts.find(conversation.to_owned(), id.to_owned()).await.unwrap()
}

#[tokio::test]
async fn a_draft_belongs_to_its_conversation_and_survives_the_process() {
    let desk = desk();
    desk.drafts.keep("c".to_owned(), vec![kept("d", 100)], 0).await.unwrap();
    let reopened = Drafts::at(&desk.path);
    assert_eq!(find(&reopened, "c", "d").await.unwrap().content, "{\"id\":\"d\"}");
    assert_eq!(find(&reopened, "other", "d").await, None);
}

#[tokio::test]
async fn the_first_claim_stays() {
    let desk = desk();
    desk.drafts.keep("c".to_owned(), vec![kept("d", 100)], 0).await.unwrap();
    let claim = |uid: &str| desk.drafts.claim("c".to_owned(), "d".to_owned(), uid.to_owned());
    let told = |claim: Option<ClaimedDraft>| claim.map(|it| (it.uid, it.attempt));
    assert_eq!(told(claim("u1").await.unwrap()), Some(("u1".to_owned(), EventAttempt::First)));
    assert_eq!(told(claim("u2").await.unwrap()), Some(("u1".to_owned(), EventAttempt::Later)));
    desk.drafts.keep("c".to_owned(), vec![kept("d", 200)], 0).await.unwrap();
    assert_eq!(find(&desk.drafts, "c", "d").await.unwrap().uid.as_deref(), Some("u1"));
    let other = desk.drafts.claim("other".to_owned(), "d".to_owned(), "u3".to_owned());
    assert_eq!(other.await.unwrap(), None);
    desk.drafts.keep("c".to_owned(), vec![kept("e", 200)], 0).await.unwrap();
    let same_key = desk.drafts.claim("c".to_owned(), "e".to_owned(), "u1".to_owned());
    assert_eq!(told(same_key.await.unwrap()), Some(("u1".to_owned(), EventAttempt::Later)));
}

#[tokio::test]
async fn what_expired_is_forgotten_and_what_was_begun_later() {
    let desk = desk();
    desk.drafts.keep("c".to_owned(), vec![kept("old", 100), kept("begun", 100)], 0).await.unwrap();
    desk.drafts.claim("c".to_owned(), "begun".to_owned(), "u".to_owned()).await.unwrap();
    desk.drafts.keep("c".to_owned(), Vec::new(), 101).await.unwrap();
    assert_eq!(find(&desk.drafts, "c", "old").await, None);
    assert!(find(&desk.drafts, "c", "begun").await.is_some());
    desk.drafts.keep("c".to_owned(), Vec::new(), 101 + REMEMBERED_MS).await.unwrap();
    assert_eq!(find(&desk.drafts, "c", "begun").await, None);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let desk = desk();
    fs::create_dir_all(desk.path.parent().unwrap()).unwrap();
    fs::write(&desk.path, "x".repeat(4096)).unwrap();
    let fault = desk.drafts.find("c".to_owned(), "d".to_owned()).await.unwrap_err();
    assert!(fault.message.contains("drafts.db` cannot be used"), "{fault}");
}

#[tokio::test]
async fn drafts_of_a_newer_format_are_refused_and_left_as_they_are() {
    let desk = desk();
    desk.drafts.keep("c".to_owned(), vec![kept("d", 100)], 0).await.unwrap();
    let other = Connection::open(&desk.path).unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    let found = Drafts::at(&desk.path).find("c".to_owned(), "d".to_owned()).await;
    let message = found.unwrap_err().message;
    assert!(message.contains("expected format 1 or an older one, found format 99"), "{message}");
    assert_eq!(other.pragma_query_value(None, "user_version", |row| row.get(0)), Ok(99));
}
