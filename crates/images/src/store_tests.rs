//! Images over a real folder.

use std::fs;
use std::time::SystemTime;

use aileron_capability::ManualClock;

use super::*;

const DAY: Duration = Duration::from_secs(24 * 3600);
const DAY_MS: u64 = 24 * 3_600_000;

fn fresh(content: &str) -> ValidatedImage {
    let what = ImageFacts { kind: ImageKind::Png, width: 2, height: 1 };
    let note = Some(format!("about {content}"));
    let (bytes, made_by) = (content.as_bytes().to_vec(), "test".to_owned());
    ValidatedImage { what, bytes, made_by, label: Some("a test".to_owned()), note }
}

fn slot(key: &str, number: u32) -> ImageSlot {
    ImageSlot { conversation: "c".to_owned(), key: key.to_owned(), number }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

struct Desk {
    folder: tempfile::TempDir,
    store: ImageStore,
}

fn store(folder: &Path) -> ImageStore {
    ImageStore::at(folder, Addresses::Under("/images/".to_owned()), DAY * 30)
}

fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    Desk { folder, store }
}

impl Desk {
    async fn keep(&self, key: &str, contents: &[&str], now: u64) -> Vec<Image> {
        let mut made = Vec::new();
        for (number, content) in (0..).zip(contents) {
            let slot = slot(key, number);
            self.store.begin(&slot, now).await.unwrap();
            made.push(self.store.keep(&slot, fresh(content), now).await.unwrap());
        }
        made
    }

    /// Makes the files as old as images of then.
    fn age_files(&self, age: Duration) {
        let past = SystemTime::now() - age;
        for entry in fs::read_dir(self.folder.path()).unwrap().flatten() {
            if entry.path().extension().is_some_and(|end| end == "png") {
                let file = fs::File::options().write(true).open(entry.path()).unwrap();
                file.set_modified(past).unwrap();
            }
        }
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
    let find =
        |conversation: &str| desk.store.find(conversation.to_owned(), made[1].id.clone(), now_ms());
    assert_eq!(find("c").await.unwrap().as_ref(), Some(&made[1]));
    assert_eq!(find("other").await.unwrap(), None);
    let opened = desk.store.open(made[1].id.clone(), now_ms()).await.unwrap().unwrap();
    assert_eq!((opened.bytes.as_slice(), opened.content_type), (&b"two"[..], "image/png"));
    for id in ["img_none", "../images.db", ""] {
        assert_eq!(desk.store.open(id.to_owned(), now_ms()).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_slot_gives_what_came_of_it_also_to_another_process() {
    let desk = desk();
    let made = desk.keep("k", &["one", "two"], now_ms()).await;
    let reopened = store(desk.folder.path());
    let begin = |key: &str, number| reopened.begin(&slot(key, number), now_ms());
    assert_eq!(begin("k", 0).await.unwrap(), SlotState::Made(made[0].clone()));
    assert_eq!(begin("k", 1).await.unwrap(), SlotState::Made(made[1].clone()));
    assert_eq!(begin("k", 2).await.unwrap(), SlotState::First);
    assert_eq!(begin("k", 2).await.unwrap(), SlotState::Open);
    reopened.forget(&slot("k", 2)).await.unwrap();
    assert_eq!(begin("k", 2).await.unwrap(), SlotState::First);
    reopened.fail(&slot("k", 2), "a page").await.unwrap();
    assert_eq!(begin("k", 2).await.unwrap(), SlotState::Failed("a page".to_owned()));
    assert_eq!(begin("other", 0).await.unwrap(), SlotState::First);
}

#[tokio::test]
async fn the_same_content_is_one_file() {
    let desk = desk();
    desk.keep("k1", &["same"], now_ms()).await;
    desk.keep("k2", &["same", "other"], now_ms()).await;
    assert_eq!(desk.images(), 2);
}

#[tokio::test]
async fn expired_images_are_deleted_unless_a_younger_image_needs_the_file() {
    let desk = desk();
    let now = now_ms();
    let old = desk.keep("k1", &["old", "shared"], now - 40 * DAY_MS).await;
    desk.age_files(DAY * 40);
    desk.keep("k2", &["shared"], now).await;
    assert_eq!(desk.store.open(old[0].id.clone(), now).await.unwrap(), None);
    assert_eq!(desk.images(), 1);
}

#[tokio::test]
async fn an_image_is_there_to_the_end_of_its_time_and_no_longer() {
    let desk = desk();
    let now = now_ms();
    let made = desk.keep("k", &["one"], now).await.remove(0);
    let open = |at| desk.store.open(made.id.clone(), at);
    let find = |at| desk.store.find("c".to_owned(), made.id.clone(), at);
    let left = |at| async move { open(at).await.unwrap().map(|image| image.time_left) };
    assert_eq!(left(now).await, Some(DAY * 30));
    assert_eq!(left(now + 29 * DAY_MS).await, Some(DAY));
    assert_eq!(left(now + 30 * DAY_MS).await, Some(Duration::ZERO));
    assert_eq!(find(now + 30 * DAY_MS).await.unwrap().as_ref(), Some(&made));
    assert_eq!(left(now + 30 * DAY_MS + 1).await, None);
    assert_eq!(find(now + 30 * DAY_MS + 1).await.unwrap(), None);
    // A clock that was put back does not keep it longer.
    assert_eq!(left(now - DAY_MS).await, Some(DAY * 30));
    // Its key is as good as new.
    let again = desk.store.begin(&slot("k", 0), now + 31 * DAY_MS).await.unwrap();
    assert_eq!(again, SlotState::First);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_is_tended_is_swept_without_anybody_asking() {
    let desk = desk();
    let now = now_ms();
    desk.keep("k", &["old"], now).await;
    desk.age_files(DAY * 40);
    let clock = Arc::new(ManualClock::at(now));
    let tended = tokio::spawn(desk.store.clone().tend(clock.clone()));
    tokio::time::sleep(SWEEP_EVERY * 2).await;
    assert_eq!(desk.images(), 1);
    clock.advance(31 * DAY_MS);
    tokio::time::sleep(SWEEP_EVERY * 2).await;
    assert_eq!(desk.images(), 0);
    tended.abort();
}

#[tokio::test]
async fn half_written_files_are_deleted() {
    let desk = desk();
    desk.keep("k", &["one"], now_ms()).await;
    let left = desk.folder.path().join(".making-one");
    fs::write(&left, "half").unwrap();
    desk.store.sweep(now_ms()).await.unwrap();
    assert!(left.exists(), "somebody may be writing it");
    let old = SystemTime::now() - Duration::from_secs(2 * 3600);
    fs::File::options().write(true).open(&left).unwrap().set_modified(old).unwrap();
    desk.store.sweep(now_ms()).await.unwrap();
    assert!(!left.exists());
    assert_eq!(desk.images(), 1);
}

#[tokio::test]
async fn a_sweep_where_nothing_was_kept_makes_nothing() {
    let desk = desk();
    desk.store.sweep(now_ms()).await.unwrap();
    assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn the_first_layout_is_read() {
    let desk = desk();
    let first = Connection::open(desk.folder.path().join("images.db")).unwrap();
    first
        .execute_batch(
            "CREATE TABLE request (
                conversation TEXT NOT NULL, key TEXT NOT NULL, begun_ms INTEGER NOT NULL,
                PRIMARY KEY (conversation, key)) WITHOUT ROWID;
             CREATE TABLE image (
                id TEXT PRIMARY KEY, conversation TEXT NOT NULL, key TEXT NOT NULL,
                number INTEGER NOT NULL, hash TEXT NOT NULL, kind TEXT NOT NULL,
                width INTEGER NOT NULL, height INTEGER NOT NULL,
                made_by TEXT NOT NULL, made_ms INTEGER NOT NULL) WITHOUT ROWID;
             INSERT INTO request VALUES ('c', 'made', 1), ('c', 'open', 1);
             INSERT INTO image VALUES ('img_1', 'c', 'made', 0, 'h', 'image/png', 2, 1, 'test', 1);
             PRAGMA user_version = 1;",
        )
        .unwrap();
    drop(first);
    let begin = |key: &str| desk.store.begin(&slot(key, 0), 2);
    assert!(matches!(begin("made").await.unwrap(), SlotState::Made(image) if image.id == "img_1"));
    assert_eq!(begin("open").await.unwrap(), SlotState::Open);
    assert_eq!(begin("other").await.unwrap(), SlotState::First);
}

#[tokio::test]
async fn images_of_a_newer_format_are_refused_and_left_as_they_are() {
    let desk = desk();
    assert_eq!(desk.store.begin(&slot("k", 0), 1).await.unwrap(), SlotState::First);
    let other = Connection::open(desk.folder.path().join("images.db")).unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    let begun = store(desk.folder.path()).begin(&slot("k", 0), 1).await;
    let message = begun.unwrap_err().message;
    assert!(message.contains("expected format 2 or an older one, found format 99"), "{message}");
    assert_eq!(other.pragma_query_value(None, "user_version", |row| row.get(0)), Ok(99));
}
