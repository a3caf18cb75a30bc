//! A line that is no message is refused; data that cannot be read fails its call alone.

use super::*;

fn decoded(line: &str) -> String {
    format!("{:?}", decode(line.as_bytes()))
}

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn a_line_that_is_no_message_is_refused() {
    for line in [
        "",
        "7",
        "{}",
        r#"{"type":"other","id":"1"}"#,
        r#"{"type":"done"}"#,
        r#"{"type":"hello"}"#,
        r#"{"type":"request","id":"1"}"#,
    ] {
        assert!(decode(line.as_bytes()).is_err(), "{line}");
    }
    assert!(decode(b"\xff").is_err());
}

#[test]
fn unreadable_data_fails_its_call_alone() {
    let deep = nested(200);
    for data in [deep.as_str(), "1e400", r#""\ud83d""#] {
        let request = format!(
            r#"{{"type":"request","id":"a","request":3,"capability":"kb","method":"get","args":[{data}]}}"#
        );
        let found = decoded(&request);
        assert!(found.starts_with(r#"Ok(Call("a", UnreadableRequest(3, "#), "{found}");
        let done = decoded(&format!(r#"{{"type":"done","id":"a","result":{data}}}"#));
        assert!(done.starts_with(r#"Ok(Call("a", Done(Unreadable("#), "{done}");
        let progress = decoded(&format!(r#"{{"type":"progress","id":"a","update":{data}}}"#));
        assert_eq!(progress, r#"Ok(Call("a", Unreadable))"#);
    }
}

#[test]
fn the_end_of_a_call_is_one_of_three() {
    let end = |members: &str| decoded(&format!(r#"{{"type":"done","id":"a",{members}}}"#));
    assert_eq!(
        end(r#""result":{"ok":true}"#),
        r#"Ok(Call("a", Done(Result(Object {"ok": Bool(true)}))))"#
    );
    assert_eq!(end(r#""tooLarge":true"#), r#"Ok(Call("a", Done(TooLarge)))"#);
    assert_eq!(
        end(r#""fault":{"kind":"memory"}"#),
        r#"Ok(Call("a", Done(Fault(Object {"kind": String("memory")}))))"#
    );
}
