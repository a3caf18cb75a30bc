//! Records in a file: changes, and their visibility to others.

use std::fs;

use aileron_contract::ContentHash;
use aileron_contract::kb::{Namespace, Record};
use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::error::KbError;
use crate::search::fixture;

fn record(id: &str, text: &str) -> Record {
    fixture::record(id, id, text)
}

fn put(writer: &RecordsWriter, id: &str, text: &str, source: &str) -> WriteOutcome {
    let hash = ContentHash::of_bytes(text.as_bytes());
    writer.put(&record(id, text), &hash, source).unwrap()
}

fn with(records: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    records.iter().for_each(|(id, source)| {
        put(&writer, id, "text", source);
    });
    writer.commit().unwrap();
    folder
}

fn ids(folder: &TempDir) -> Vec<String> {
    let mut ids = Vec::new();
    let reader = RecordsReader::open(folder.path()).unwrap();
    let show = |record: Record| {
        ids.push(record.id);
        Ok(())
    };
    reader.each(show).unwrap();
    ids
}

#[test]
fn a_record_is_added_once_and_changed_under_another_row() {
    let folder = with(&[("doc:a", "a.md")]);
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    assert_eq!(put(&writer, "doc:a", "text", "a.md"), WriteOutcome::Unchanged);
    assert_eq!(put(&writer, "doc:a", "other", "a.md"), WriteOutcome::Changed { row: 2 });
    assert_eq!(put(&writer, "doc:b", "text", "b.md"), WriteOutcome::Added { row: 3 });
    writer.commit().unwrap();
    let reader = RecordsReader::open(folder.path()).unwrap();
    assert_eq!(reader.record(1).unwrap(), None);
    assert_eq!(reader.record(2).unwrap(), Some(record("doc:a", "other")));
    assert_eq!(reader.row_of("doc:b", &Namespace::ALL).unwrap(), Some(3));
    assert_eq!(reader.generation().unwrap(), 2);
}

#[test]
fn a_change_that_is_dropped_never_was() {
    let folder = with(&[("doc:a", "a.md")]);
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    put(&writer, "doc:b", "text", "b.md");
    assert!(writer.remove("doc:a").unwrap());
    drop(writer);
    assert_eq!(ids(&folder), ["doc:a"]);
    assert_eq!(RecordsReader::open(folder.path()).unwrap().generation().unwrap(), 1);
}

#[test]
fn a_reader_sees_one_moment_while_another_writes() {
    let folder = with(&[("doc:a", "a.md")]);
    let reader = RecordsReader::open(folder.path()).unwrap();
    reader.begin().unwrap();
    assert_eq!(reader.generation().unwrap(), 1);
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    assert!(writer.remove("doc:a").unwrap());
    writer.commit().unwrap();
    assert_eq!(reader.row_of("doc:a", &Namespace::ALL).unwrap(), Some(1));
    reader.end().unwrap();
    assert_eq!(reader.row_of("doc:a", &Namespace::ALL).unwrap(), None);
}

#[test]
fn a_second_writer_is_told_to_wait() {
    let folder = with(&[]);
    let first = RecordsWriter::begin(folder.path()).unwrap();
    let busy = KbError::Busy { path: folder.path().to_owned() };
    assert_eq!(RecordsWriter::begin(folder.path()).map(|_| ()).unwrap_err(), busy);
    drop(first);
    assert!(RecordsWriter::begin(folder.path()).is_ok());
}

#[test]
fn records_that_leave_a_shard_are_dead_in_it() {
    let folder = with(&[("doc:a", "a.md"), ("doc:b", "b.md"), ("doc:c", "c.md")]);
    let entry = |name: &str, first_row, last_row, dead: &[u64]| ShardEntry {
        name: name.to_owned(),
        namespace: Namespace::Studio,
        passages: 2,
        first_row,
        last_row,
        dead: dead.to_vec(),
        records: last_row - first_row + 1,
    };
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    assert_eq!(writer.next_shard().unwrap(), "shard-000001");
    assert_eq!(writer.next_shard().unwrap(), "shard-000002");
    writer.add_shard(&entry("shard-000001", 1, 2, &[])).unwrap();
    writer.add_shard(&entry("shard-000002", 3, 3, &[])).unwrap();
    assert_eq!(put(&writer, "doc:b", "other", "b.md"), WriteOutcome::Changed { row: 4 });
    assert!(writer.remove("doc:c").unwrap());
    assert!(!writer.remove("doc:z").unwrap());
    let dead = [entry("shard-000001", 1, 2, &[2]), entry("shard-000002", 3, 3, &[3])];
    assert_eq!(writer.reader().shards().unwrap(), dead);
    writer.drop_shard("shard-000002").unwrap();
    writer.commit().unwrap();
    assert_eq!(RecordsReader::open(folder.path()).unwrap().shards().unwrap(), dead[..1]);
}

#[test]
fn records_that_a_folder_no_longer_has_are_known() {
    let sources = [("doc:a", "/kb/a.md"), ("doc:b", "/kb/sub/b.md"), ("doc:c", "/kb-other/c.md")];
    let folder = with(&sources);
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    put(&writer, "doc:a", "text", "/kb/a.md");
    let gone = [("doc:b".to_owned(), "/kb/sub/b.md".to_owned())];
    assert_eq!(writer.unseen("/kb").unwrap(), gone);
    assert_eq!(writer.unseen("/kb/sub/b.md").unwrap(), gone);
    assert_eq!(writer.unseen("/kb/a.md").unwrap(), []);
}

#[test]
fn a_file_that_moved_is_no_change() {
    let folder = with(&[("doc:a", "/old/a.md")]);
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    assert_eq!(put(&writer, "doc:a", "text", "/kb/a.md"), WriteOutcome::Unchanged);
    writer.commit().unwrap();
    let writer = RecordsWriter::begin(folder.path()).unwrap();
    assert_eq!(writer.unseen("/kb").unwrap().len(), 1);
    assert_eq!(writer.unseen("/old").unwrap().len(), 0);
}

#[test]
fn the_model_is_kept_and_replaced() {
    let folder = with(&[]);
    let model = |name: &str| IndexModel { name: name.to_owned(), dim: 256 };
    for wanted in [Some(model("a")), Some(model("b")), None] {
        let writer = RecordsWriter::begin(folder.path()).unwrap();
        writer.set_model(wanted.as_ref()).unwrap();
        writer.commit().unwrap();
        assert_eq!(RecordsReader::open(folder.path()).unwrap().model().unwrap(), wanted);
    }
}

#[test]
fn neighbours_are_on_both_sides_of_an_id() {
    let names = ["doc:a", "doc:b", "doc:d", "doc:e"];
    let folder = with(&names.map(|name| (name, "x")));
    let reader = RecordsReader::open(folder.path()).unwrap();
    let near = |id, namespace| reader.neighbours(id, namespace, 1).unwrap();
    assert_eq!(near("doc:c", Namespace::Studio), ["doc:b", "doc:d"]);
    assert_eq!(near("doc:z", Namespace::Studio), ["doc:e"]);
    assert_eq!(near("doc:c", Namespace::Public), [""; 0]);
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let missing = KbError::Missing { path: folder.path().to_owned() };
    assert_eq!(RecordsReader::open(folder.path()).map(|_| ()).unwrap_err(), missing);
    fs::write(
        folder.path().join(schema::FILE),
        "no database at all, but long enough to look like one",
    )
    .unwrap();
    let error = RecordsWriter::begin(folder.path()).map(|_| ()).unwrap_err();
    assert!(matches!(error, KbError::NotOurs { .. }), "{error:?}");
    let other = TempDir::new().unwrap();
    let connection = Connection::open(other.path().join(schema::FILE)).unwrap();
    connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
    let error = RecordsWriter::begin(other.path()).map(|_| ()).unwrap_err();
    assert!(matches!(error, KbError::NotOurs { .. }), "{error:?}");
}

#[test]
fn a_later_format_is_refused_by_its_number() {
    let folder = with(&[]);
    let connection = Connection::open(folder.path().join(schema::FILE)).unwrap();
    connection.pragma_update(None, "user_version", 9).unwrap();
    drop(connection);
    let error = RecordsReader::open(folder.path()).map(|_| ()).unwrap_err();
    assert!(matches!(error, KbError::Newer { found: 9, known: 2, .. }), "{error:?}");
}
