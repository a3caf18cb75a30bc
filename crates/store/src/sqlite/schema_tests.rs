//! Older formats are migrated; newer ones and foreign files are refused.

use super::*;
use crate::document::OwnerFilter;
use crate::sqlite::conversations;

const MORE: &[&str] = &[
    VERSION_1,
    VERSION_2,
    VERSION_3,
    VERSION_4,
    VERSION_5,
    VERSION_6,
    VERSION_7,
    VERSION_8,
    "CREATE TABLE later (x INTEGER) STRICT;",
];

fn path() -> &'static Path {
    Path::new("store.db")
}

fn fresh() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, path(), STEPS).unwrap();
    connection
}

#[test]
fn an_older_format_is_brought_up_to_date_with_its_content() {
    let mut connection = fresh();
    connection.execute("INSERT INTO blocks VALUES ('ada', 7)", []).unwrap();
    migrate(&mut connection, path(), MORE).unwrap();
    assert_eq!(check(&connection, path(), MORE).unwrap(), 9);
    let until: i64 =
        connection.query_row("SELECT until FROM blocks", [], |row| row.get(0)).unwrap();
    assert_eq!(until, 7);
    assert!(connection.query_row("SELECT count(*) FROM later", [], |_| Ok(())).is_ok());
}

#[test]
fn a_step_that_fails_leaves_the_older_format() {
    let mut connection = fresh();
    let broken = [
        VERSION_1,
        VERSION_2,
        VERSION_3,
        VERSION_4,
        VERSION_5,
        VERSION_6,
        VERSION_7,
        VERSION_8,
        "CREATE TABLE later (x INTEGER) STRICT; CREATE TABLE ledger (x);",
    ];
    migrate(&mut connection, path(), &broken).unwrap_err();
    assert_eq!(check(&connection, path(), STEPS).unwrap(), 8);
    assert!(connection.query_row("SELECT count(*) FROM later", [], |_| Ok(())).is_err());
}

#[test]
fn a_newer_format_is_refused() {
    let mut connection = fresh();
    migrate(&mut connection, path(), MORE).unwrap();
    let error = migrate(&mut connection, path(), STEPS).unwrap_err();
    assert_eq!(
        error.to_string(),
        "store.db has format 9, this Aileron knows up to 8; \
         use the Aileron that wrote it or a later one"
    );
}

#[test]
fn another_programs_database_is_refused() {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
    let error = migrate(&mut connection, path(), STEPS).unwrap_err();
    assert_eq!(
        error.to_string(),
        "store.db is not an Aileron store: expected one that Aileron made, \
         found another program's database; name another file"
    );
}

#[test]
fn audit_records_cannot_be_changed_or_removed_by_accident() {
    let connection = fresh();
    let insert = "INSERT INTO audit VALUES (1, 1, 'c', NULL, 't', 'completed', '{}', 'h')";
    connection.execute(insert, []).unwrap();
    for sql in ["UPDATE audit SET time = 2", "DELETE FROM audit"] {
        let error = connection.execute(sql, []).unwrap_err().to_string();
        assert!(error.starts_with("audit records are "), "{error}");
    }
}

#[test]
fn the_first_format_is_brought_up_to_date_with_its_conversations() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, path(), &[VERSION_1]).unwrap();
    connection.execute("INSERT INTO conversations VALUES ('c', 1, 1, '{}')", []).unwrap();
    migrate(&mut connection, path(), STEPS).unwrap();
    let count = |table: &str| {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!((count("conversations"), count("messages")), (1, 0));
}

#[test]
fn messages_cannot_be_changed_by_accident() {
    let connection = fresh();
    connection.execute("INSERT INTO messages VALUES ('c', 1, 1, '{}')", []).unwrap();
    let error = connection.execute("UPDATE messages SET body = '[]'", []).unwrap_err();
    assert_eq!(error.to_string(), "messages are never changed");
}

#[test]
fn conversations_of_an_older_format_are_found_by_whom_they_belong_to() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, path(), &[VERSION_1, VERSION_2]).unwrap();
    let ada = r#"{"turn":1,"turnBegan":1,"lasting":"{\"user\":\"ada\",\"decided\":[]}"}"#;
    let nobody = r#"{"turn":1,"turnBegan":1,"lasting":"{\"user\":null}"}"#;
    for (id, body) in [("a", ada), ("b", nobody), ("c", "{}"), ("d", "no JSON"), ("e", "7")] {
        let insert = "INSERT INTO conversations VALUES (?1, 1, 1, ?2)";
        connection.execute(insert, [id, body]).unwrap();
    }
    migrate(&mut connection, path(), STEPS).unwrap();
    let of = |owner: Option<&str>| {
        let owner = owner.map(|owner| aileron_contract::UserId::new(owner).unwrap());
        let list = conversations::list(&connection, &OwnerFilter::Of(owner), None, 10).unwrap();
        list.into_iter().map(|one| one.conversation.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of(Some("ada")), ["a"]);
    assert_eq!(of(None), ["e", "d", "c", "b"]);
}

#[test]
fn a_list_is_read_from_an_index_alone() {
    let connection = fresh();
    let plan = |sql: &str, params: &[&dyn rusqlite::ToSql]| -> String {
        let sql = format!("EXPLAIN QUERY PLAN {sql}");
        connection.query_row(&sql, params, |row| row.get(3)).unwrap()
    };
    for owner in [Some("ada"), None] {
        assert_eq!(
            plan(conversations::LIST, &[&1, &"", &10, &owner]),
            "SEARCH conversations USING INDEX conversations_recent (owner=? AND (time,id)<(?,?))"
        );
    }
    assert_eq!(
        plan(conversations::LIST_ALL, &[&1, &"", &10]),
        "SEARCH conversations USING INDEX conversations_time ((time,id)<(?,?))"
    );
}
