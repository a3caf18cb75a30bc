//! A knowledge base in a folder: changes, questions, damage.

use std::fs;
use std::path::Path;

use aileron_contract::kb::{Filters, Namespace, Ranking, Record};
use tempfile::TempDir;

use super::*;
use crate::change::PutOutcome;
use crate::embed::FixedTable;
use crate::records::RecordsWriter;
use crate::search::Detail;
use crate::search::fixture::record;

fn mira() -> Record {
    record("person:mira_holt", "Mira Holt", "Leads the lighting of the studio.")
}

fn farm() -> Record {
    record("doc:render_farm", "Render farm", "How to get access to the machines that render.")
}

pub(super) fn base(folder: &TempDir) -> KnowledgeBase {
    KnowledgeBase::at(folder.path(), Some(Arc::new(FixedTable::new())))
}

fn with(records: &[Record]) -> (TempDir, KnowledgeBase) {
    let folder = TempDir::new().unwrap();
    let kb = base(&folder);
    put(&kb, records);
    (folder, kb)
}

fn put(kb: &KnowledgeBase, records: &[Record]) -> Vec<PutOutcome> {
    let mut change = kb.begin(IndexStart::Continue).unwrap();
    let puts = records.iter().map(|record| change.put(record.clone(), "test").unwrap()).collect();
    change.commit().unwrap();
    puts
}

fn find(kb: &KnowledgeBase, text: &str) -> Result<Results, KbError> {
    kb.search(&SearchQuery {
        text,
        namespaces: &[Namespace::Studio],
        filters: &Filters::default(),
        top_k: 5,
        min_score: Some(0.0),
        detail: Detail::Hits,
    })
}

fn first(kb: &KnowledgeBase, text: &str) -> Option<String> {
    find(kb, text).unwrap().hits.into_iter().next().map(|hit| hit.record.id)
}

fn shard_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.join("index")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[test]
fn a_record_that_was_put_is_found_and_read() {
    let (_folder, kb) = with(&[mira(), farm()]);
    let found = find(&kb, "lighting lead").unwrap();
    assert_eq!((&found.hits[0].record, found.ranking), (&mira(), Ranking::Hybrid));
    let ids = ["doc:render_farm".to_owned(), "person:mira_hold".to_owned()];
    let fetched = kb.read(&ids, &Namespace::ALL).unwrap();
    assert_eq!(fetched.records, [farm()]);
    assert_eq!(fetched.missing[0].closest, ["person:mira_holt"]);
}

#[test]
fn a_query_that_shares_meaning_alone_is_on_topic_and_an_everyday_question_is_not() {
    let text = "Everyone has 30 paid days a year. Longer absences need four weeks of notice.";
    let (_folder, kb) = with(&[record("process:time_off", "Asking for time off", text), farm()]);
    let search = |text, min_score| {
        let (filters, namespaces) = (&Filters::default(), &[Namespace::Studio]);
        let detail = Detail::Explained;
        kb.search(&SearchQuery { text, namespaces, filters, top_k: 5, min_score, detail }).unwrap()
    };
    let found = search("vacation", None);
    let explanation = found.hits[0].explanation.as_ref().unwrap();
    assert_eq!((found.hits[0].record.id.as_str(), explanation.bm25), ("process:time_off", 0.0));
    assert!(explanation.score < 0.24 && explanation.cosine >= Some(0.35), "{explanation:?}");
    for text in ["best machines to bake sourdough bread in Iceland", "volcanoes", "pizza"] {
        let (none, weak) = (search(text, None), search(text, Some(0.0)));
        assert!(none.hits.is_empty(), "{text}: {:?}", none.hits);
        assert_eq!(none.notes.is_empty(), weak.hits.is_empty(), "{text}");
    }
    // A least score that a caller names is a bound of the score alone.
    assert!(search("vacation", Some(0.24)).hits.is_empty());
}

#[test]
fn a_namespace_that_is_not_asked_for_shows_nothing() {
    let (_folder, kb) = with(&[mira()]);
    let fetched = kb.read(&["person:mira_holt".to_owned()], &[Namespace::Public]).unwrap();
    assert_eq!((fetched.records, &fetched.missing[0].closest), (vec![], &vec![]));
}

#[test]
fn only_what_changed_is_taken_in_again() {
    let (folder, kb) = with(&[mira(), farm()]);
    let mut moved = mira();
    moved.text = "Left for a theatre.".to_owned();
    assert_eq!(put(&kb, &[moved.clone(), farm()]), [PutOutcome::Changed, PutOutcome::Unchanged]);
    assert_eq!(first(&kb, "theatre").as_deref(), Some("person:mira_holt"));
    let generation = kb.stats().unwrap().generation;
    assert_eq!(put(&kb, &[moved, farm()]), [PutOutcome::Unchanged; 2]);
    assert_eq!(kb.stats().unwrap().generation, generation);
    assert_eq!(kb.stats().unwrap().records, 2);
    drop(folder);
}

#[test]
fn a_removed_record_is_not_found() {
    let (_folder, kb) = with(&[mira(), farm()]);
    let mut change = kb.begin(IndexStart::Continue).unwrap();
    assert!(change.remove("person:mira_holt").unwrap());
    assert!(!change.remove("person:nobody").unwrap());
    change.commit().unwrap();
    assert_eq!(first(&kb, "lighting lead").as_deref(), Some("doc:render_farm"));
    assert_eq!(kb.stats().unwrap().records, 1);
}

#[test]
fn an_open_base_sees_what_another_one_commits() {
    let (folder, kb) = with(&[farm()]);
    assert_ne!(first(&kb, "Mira Holt").as_deref(), Some("person:mira_holt"));
    put(&base(&folder), &[mira()]);
    assert_eq!(first(&kb, "Mira Holt").as_deref(), Some("person:mira_holt"));
}

#[test]
fn a_change_that_was_dropped_never_was() {
    let (folder, kb) = with(&[farm()]);
    let mut change = kb.begin(IndexStart::Continue).unwrap();
    change.put(mira(), "test").unwrap();
    assert_ne!(first(&kb, "Mira Holt").as_deref(), Some("person:mira_holt"));
    drop(change);
    assert_ne!(first(&base(&folder), "Mira Holt").as_deref(), Some("person:mira_holt"));
}

#[test]
fn many_small_changes_leave_few_shards() {
    let (_folder, kb) = with(&[]);
    for number in 0..40 {
        let text = format!("note number{number}");
        put(&kb, &[record(&format!("doc:n{number}"), "Note", &text)]);
    }
    let stats = kb.stats().unwrap();
    assert_eq!((stats.records, stats.shards), (40, 1));
    assert_eq!(first(&kb, "number17").as_deref(), Some("doc:n17"));
    kb.verify().unwrap();
}

#[test]
fn without_a_model_search_is_by_words_and_says_so() {
    let (folder, _kb) = with(&[mira()]);
    let plain = KnowledgeBase::at(folder.path(), None);
    assert_eq!(find(&plain, "lighting").unwrap().ranking, Ranking::Words);
}

/// A knowledge base as an earlier version left it: shards of mixed namespaces, no format noted.
fn make_earlier(folder: &Path) {
    let connection = rusqlite::Connection::open(folder.join("records.db")).unwrap();
    let sql = "
        DROP TABLE shard;
        CREATE TABLE shard (name TEXT PRIMARY KEY, passages INTEGER NOT NULL,
            records INTEGER NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO shard VALUES ('shard-000001', 2, 2, 1, 2);
        DELETE FROM fact WHERE name = 'index';
        PRAGMA user_version = 1;";
    connection.execute_batch(sql).unwrap();
}

#[test]
fn an_index_of_an_earlier_version_is_made_again_from_the_records() {
    let (folder, kb) = with(&[mira(), farm()]);
    drop(kb);
    make_earlier(folder.path());
    let kb = base(&folder);
    assert_eq!(first(&kb, "lighting lead").as_deref(), Some("person:mira_holt"));
    make_earlier(folder.path());
    base(&folder).verify().unwrap();
    // A change does so too, and keeps what was there.
    make_earlier(folder.path());
    let third = record("doc:third", "Third", "A third record.");
    assert_eq!(put(&base(&folder), &[third, farm()]), [PutOutcome::Added, PutOutcome::Unchanged]);
    assert_eq!(first(&base(&folder), "lighting lead").as_deref(), Some("person:mira_holt"));
    assert_eq!(kb.stats().unwrap().records, 3);
}

#[test]
fn an_index_of_an_earlier_version_and_another_model_waits_for_a_rebuild() {
    let (folder, kb) = with(&[mira()]);
    drop(kb);
    make_earlier(folder.path());
    let plain = KnowledgeBase::at(folder.path(), None);
    let error = find(&plain, "mira").unwrap_err().to_string();
    assert!(error.contains("format 2") && error.contains("--rebuild"), "{error}");
    let error = plain.begin(IndexStart::Continue).map(|_| ()).unwrap_err();
    assert!(matches!(error, KbError::OtherModel { .. }), "{error}");
}

#[test]
fn a_record_that_changes_its_namespace_leaves_the_one_it_was_in() {
    let (_folder, kb) = with(&[mira(), farm()]);
    let hidden = Record { namespace: Namespace::Personal, ..mira() };
    assert_eq!(put(&kb, &[hidden, farm()]), [PutOutcome::Changed, PutOutcome::Unchanged]);
    assert_ne!(first(&kb, "Mira Holt").as_deref(), Some("person:mira_holt"));
    let ids = ["person:mira_holt".to_owned()];
    assert_eq!(kb.read(&ids, &[Namespace::Studio]).unwrap().records, []);
    assert_eq!(kb.read(&ids, &[Namespace::Personal]).unwrap().records.len(), 1);
}

#[test]
fn two_models_are_never_mixed() {
    let (folder, _kb) = with(&[mira()]);
    let plain = KnowledgeBase::at(folder.path(), None);
    let error = plain.begin(IndexStart::Continue).map(|_| ()).unwrap_err();
    let (index, given) = (FixedTable::new().model().name.clone(), "no model".to_owned());
    assert_eq!(error, KbError::OtherModel { index, given });
    plain.begin(IndexStart::Rebuild).unwrap().commit().unwrap();
    assert_eq!(plain.stats().unwrap().model, None);
    assert_eq!(find(&base(&folder), "lighting").unwrap().ranking, Ranking::Words);
}

#[test]
fn a_damaged_index_is_made_again_from_the_records() {
    let (folder, kb) = with(&[mira(), farm()]);
    let files = shard_files(folder.path()).len();
    for damaged in 0..files {
        let file = &shard_files(folder.path())[damaged];
        let length = fs::metadata(file).unwrap().len();
        fs::File::options().write(true).open(file).unwrap().set_len(length / 2).unwrap();
        assert_eq!(first(&base(&folder), "lighting lead").as_deref(), Some("person:mira_holt"));
        base(&folder).verify().unwrap();
    }
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    assert_eq!(first(&base(&folder), "lighting lead").as_deref(), Some("person:mira_holt"));
    drop(kb);
}

#[test]
fn bytes_that_changed_are_found_by_looking_at_all_of_them() {
    let (folder, kb) = with(&[mira(), farm()]);
    for file in shard_files(folder.path()) {
        let whole = fs::read(&file).unwrap();
        let mut flipped = whole.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 0x55;
        fs::write(&file, flipped).unwrap();
        let error = kb.verify().unwrap_err();
        assert!(matches!(error, KbError::DamagedIndex { .. }), "{}: {error}", file.display());
        fs::write(&file, whole).unwrap();
    }
    kb.verify().unwrap();
}

#[test]
fn an_open_base_notices_bytes_that_changed_and_mends_them() {
    let (folder, _kb) = with(&[mira(), farm()]);
    for number in 0..shard_files(folder.path()).len() {
        let file = &shard_files(folder.path())[number];
        let mut bytes = fs::read(file).unwrap();
        bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
        fs::write(file, bytes).unwrap();
        let kb = base(&folder);
        while kb.verify().is_err() {
            let _ = find(&kb, "lighting lead");
        }
        assert_eq!(first(&kb, "lighting lead").as_deref(), Some("person:mira_holt"));
    }
}

#[test]
fn a_damaged_index_waits_while_another_process_writes() {
    let (folder, _kb) = with(&[mira()]);
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    assert!(matches!(find(&base(&folder), "mira"), Err(KbError::Busy { .. })));
    drop(writer);
    assert!(find(&base(&folder), "mira").is_ok());
}

#[test]
fn a_query_without_words_is_told_so() {
    let (_folder, kb) = with(&[mira()]);
    assert!(matches!(find(&kb, " ?! "), Err(KbError::Query { .. })));
}

#[test]
fn there_need_not_be_a_knowledge_base() {
    let folder = TempDir::new().unwrap();
    let missing = KbError::Missing { path: folder.path().to_owned() };
    assert_eq!(find(&base(&folder), "mira").unwrap_err(), missing);
}

#[test]
fn searches_go_on_while_records_come_in() {
    let (folder, kb) = with(&[mira()]);
    thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for number in 0..20 {
                put(&base(&folder), &[record(&format!("doc:n{number}"), "Note", "more text")]);
            }
        });
        while !writing.is_finished() {
            assert_eq!(first(&kb, "Mira Holt").as_deref(), Some("person:mira_holt"));
        }
    });
    assert_eq!(kb.stats().unwrap().records, 21);
}
