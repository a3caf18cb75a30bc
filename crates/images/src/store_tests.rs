//! Images over a real folder.

use std::fs;
use std::time::SystemTime;

use super::*;

const DAY_MS: i64 = 24 * 3_600_000;

fn fresh(content: &str) -> Fresh {
    let what = Inspected { kind: ImageKind::Png, width: 2, height: 1 };
    Fresh { what, bytes: content.as_bytes().to_vec(), made_by: "test".to_owned() }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

struct Desk {
    folder: tempfile::TempDir,
    store: ImageStore,
}

fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let store = ImageStore::at(folder.path(), Addresses::Under("/images/".to_owned()));
    Desk { folder, store }
}

impl Desk {
    async fn keep(&self, key: &str, contents: &[&str], now: i64) -> Vec<Image> {
        let pictures = contents.iter().map(|content| fresh(content)).collect();
        self.store.begin("c".to_owned(), key.to_owned(), now).await.unwrap();
        self.store
            .keep("c".to_owned(), key.to_owned(), pictures, now, now - 30 * DAY_MS)
            .await
            .unwrap()
    }

    fn images(&self) -> usize {
        let names = fs::read_dir(self.folder.path()).unwrap().flatten();
        names.filter(|it| it.path().extension().is_some_and(|end| end == "png")).count()
    }
}

#[tokio::test]
async fn an_image_is_found_by_its_conversation_and_opened_with_its_type() {
    let desk = desk();
    let made = desk.keep("k", &["one", "two"], now_ms()).await;
    assert_eq!(made.len(), 2);
    assert_eq!(made[0].url, format!("/images/{}", made[0].id));
    let find = |conversation: &str| desk.store.find(conversation.to_owned(), made[1].id.clone());
    assert_eq!(find("c").await.unwrap().as_ref(), Some(&made[1]));
    assert_eq!(find("other").await.unwrap(), None);
    let opened = desk.store.open(made[1].id.clone()).await.unwrap().unwrap();
    assert_eq!((opened.bytes.as_slice(), opened.content_type), (&b"two"[..], "image/png"));
    for id in ["img_none", "../images.db", ""] {
        assert_eq!(desk.store.open(id.to_owned()).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_key_gives_what_it_made_also_to_another_process() {
    let desk = desk();
    let made = desk.keep("k", &["one"], now_ms()).await;
    let reopened = ImageStore::at(desk.folder.path(), Addresses::Under("/images/".to_owned()));
    let begin = |key: &str| reopened.begin("c".to_owned(), key.to_owned(), now_ms());
    assert_eq!(begin("k").await.unwrap(), Attempt::Made(made));
    assert_eq!(begin("other").await.unwrap(), Attempt::First);
    assert_eq!(begin("other").await.unwrap(), Attempt::Open);
    reopened.forget("c".to_owned(), "other".to_owned()).await.unwrap();
    assert_eq!(begin("other").await.unwrap(), Attempt::First);
}

#[tokio::test]
async fn the_same_content_is_one_file() {
    let desk = desk();
    desk.keep("k1", &["same"], now_ms()).await;
    desk.keep("k2", &["same", "other"], now_ms()).await;
    assert_eq!(desk.images(), 2);
}

#[tokio::test]
async fn what_is_too_old_is_deleted_unless_a_younger_image_needs_the_file() {
    let desk = desk();
    let now = now_ms();
    let old = desk.keep("k1", &["old", "shared"], now - 40 * DAY_MS).await;
    // The files are as old as their images.
    let past = SystemTime::now() - std::time::Duration::from_secs(40 * 24 * 3600);
    for entry in fs::read_dir(desk.folder.path()).unwrap().flatten() {
        if entry.path().extension().is_some_and(|end| end == "png") {
            fs::File::options().write(true).open(entry.path()).unwrap().set_modified(past).unwrap();
        }
    }
    desk.keep("k2", &["shared"], now).await;
    assert_eq!(desk.store.open(old[0].id.clone()).await.unwrap(), None);
    assert_eq!(desk.images(), 1);
}
