//! Several at one file.

use std::sync::Barrier;

use super::*;

const TIMEOUT: Duration = Duration::from_secs(10);

#[test]
fn all_who_make_a_file_at_once_have_its_log() {
    for _ in 0..100 {
        let folder = tempfile::tempdir().unwrap();
        let (path, together) = (folder.path().join("a.db"), Barrier::new(8));
        let make = || {
            let connection = Connection::open(&path).unwrap();
            connection.busy_timeout(TIMEOUT).unwrap();
            together.wait();
            let mode = use_log(&connection, TIMEOUT);
            connection.execute_batch("CREATE TABLE IF NOT EXISTS a (b)").unwrap();
            mode
        };
        thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            for one in all {
                assert_eq!(one.join().unwrap(), Ok("wal".to_owned()));
            }
        });
    }
}

#[test]
fn a_file_that_is_being_made_is_empty_or_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let reader = Connection::open(&path).unwrap();
    reader.busy_timeout(TIMEOUT).unwrap();
    let empty = FileHeader { application: 0, version: 0, items: 0 };
    let made = FileHeader { application: 7, version: 3, items: 2 };
    assert_eq!(read_header(&reader), Ok(empty));
    thread::scope(|scope| {
        let making = scope.spawn(|| {
            let writer = Connection::open(&path).unwrap();
            writer.busy_timeout(TIMEOUT).unwrap();
            let make = "BEGIN IMMEDIATE; CREATE TABLE a (b); CREATE INDEX c ON a (b);
                        PRAGMA application_id = 7; PRAGMA user_version = 3; COMMIT;";
            let unmake = "BEGIN IMMEDIATE; DROP TABLE a;
                          PRAGMA application_id = 0; PRAGMA user_version = 0; COMMIT;";
            for _ in 0..100 {
                writer.execute_batch(make).unwrap();
                writer.execute_batch(unmake).unwrap();
            }
            writer.execute_batch(make).unwrap();
        });
        while !making.is_finished() {
            let found = read_header(&reader).unwrap();
            assert!(found == empty || found == made, "{found:?}");
        }
    });
    assert_eq!(read_header(&reader), Ok(made));
}

#[test]
fn who_waits_too_long_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.busy_timeout(Duration::ZERO).unwrap();
    let refused = use_log(&connection, PAUSE).unwrap_err();
    assert!(is_taken(&refused), "{refused}");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(use_log(&connection, PAUSE), Ok("wal".to_owned()));
}
