//! Which files are migrated, and which are refused.

use super::*;

const ONE: &[&str] = &["CREATE TABLE a (x);"];
const TWO: &[&str] = &["CREATE TABLE a (x);", "ALTER TABLE a ADD COLUMN y;"];

fn schema<'a>(steps: &'a [&'a str]) -> Schema<'a> {
    Schema { application_id: Some(7), steps }
}

fn migrated(steps: &[&str]) -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    schema(steps).migrate(&mut connection).unwrap();
    connection
}

#[test]
fn an_older_file_gets_the_missing_steps() {
    let mut connection = migrated(ONE);
    connection.execute("INSERT INTO a VALUES (1)", []).unwrap();
    schema(TWO).migrate(&mut connection).unwrap();
    schema(TWO).migrate(&mut connection).unwrap();
    assert_eq!(read_header(&connection), Ok(FileHeader { application: 7, version: 2, items: 1 }));
    assert!(connection.query_row("SELECT x, y FROM a", [], |_| Ok(())).is_ok());
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_is() {
    let mut connection = migrated(TWO);
    let error = schema(ONE).migrate(&mut connection).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected format 1 or an older one, found format 2; use the Aileron that wrote the file or a \
         later one"
    );
    assert_eq!(read_header(&connection), Ok(FileHeader { application: 7, version: 2, items: 1 }));
}

#[test]
fn a_newer_file_without_an_application_id_is_refused_too() {
    let unmarked = |steps| Schema { application_id: None, steps };
    let mut connection = Connection::open_in_memory().unwrap();
    unmarked(TWO).migrate(&mut connection).unwrap();
    let error = unmarked(ONE).migrate(&mut connection).unwrap_err();
    assert!(matches!(error, SchemaError::Newer { found: 2, known: 1 }), "{error:?}");
}

#[test]
fn another_programs_file_is_refused() {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
    let error = schema(ONE).migrate(&mut connection).unwrap_err();
    assert!(matches!(error, SchemaError::Foreign), "{error:?}");
}

#[test]
fn a_step_that_fails_leaves_the_older_version() {
    let mut connection = migrated(ONE);
    let broken = [ONE[0], "CREATE TABLE b (x); CREATE TABLE a (x);"];
    let error = schema(&broken).migrate(&mut connection).unwrap_err();
    assert!(matches!(error, SchemaError::Sqlite(_)), "{error:?}");
    assert_eq!(read_header(&connection), Ok(FileHeader { application: 7, version: 1, items: 1 }));
}
