//! Previews as the person reads them.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn args() -> Value {
    json!({
        "title": "Lunch",
        "attendees": ["ada", "tom"],
        "filters": {"tags": ["x"], "length": "long"},
        "room": null,
        "note": "",
        "count": 3,
        "price": 1.5,
        "public": false,
    })
}

#[track_caller]
fn check(template: &str, expected: &str) {
    assert_eq!(Preview::parse(template).render(&args()), expected, "{template}");
}

#[test]
fn arguments_stand_where_the_template_names_them() {
    check("Create \"{title}\" with {attendees.length} people", "Create \"Lunch\" with 2 people");
    check("no braces", "no braces");
    check("", "");
    check("{title}{title}", "LunchLunch");
}

#[test]
fn paths_go_through_objects_and_arrays() {
    check("{filters.tags.0} {attendees.1}", "x tom");
    check("{attendees}", r#"["ada","tom"]"#);
    check("{filters.tags}", r#"["x"]"#);
    check("{count} {price} {public} {room}", "3 1.5 false null");
}

#[test]
fn a_length_is_of_texts_arrays_and_objects() {
    check("{title.length} {attendees.length}", "5 2");
    check("{filters.length}", "long");
    check("{filters.tags.length} {filters.tags.0.length}", "1 1");
    check("{count.length} {length} {room.length}", "(not given) (not given) (not given)");
}

#[test]
fn what_is_missing_is_said() {
    check("At {place}", "At (not given)");
    check("{attendees.2} {attendees.-1} {attendees.x}", "(not given) (not given) (not given)");
    check("{title.a.b} {filters..tags} { title }", "(not given) (not given) (not given)");
    check("{note}", "(empty)");
    assert_eq!(Preview::parse("{a}").render(&Value::Null), "(not given)");
}

/// A label from an engine is shown whole; hidden characters in it are spelled out.
#[test]
fn what_an_argument_stands_for_is_shown_in_its_place() {
    let people = vec!["a.rather.long.name@mail.example.com"; 40].join(", ");
    let meaning = format!("\"Lunch\" with {people}\u{202e}\n");
    let meanings = ArgumentLabels::from([("id".to_owned(), meaning)]);
    let args = json!({"id": "draft-1", "n": 2});
    let expected = format!("\"Lunch\" with {people}<U+202E> ");
    let template = Preview::parse("Create {id} {n}, not {id.length}");
    assert_eq!(template.render_meant(&args, &meanings), format!("Create {expected} 2, not 7"));
    let call = of_call_meant(&ToolId::new("book").unwrap(), &args, &meanings);
    assert_eq!(call, format!("book {{\"id\":{expected},\"n\":2}}"));
    let endless = ArgumentLabels::from([("id".to_owned(), "x".repeat(100_000))]);
    assert_eq!(Preview::parse("{id}").render_meant(&args, &endless).chars().count(), 8000);
}

/// The cases of the compiler's own tests of templates.
#[test]
fn braces_read_as_the_compiler_reads_them() {
    check("{{literal}} and {title}", "{literal} and Lunch");
    check("{{{title}}}", "{Lunch}");
    check("}}{{", "}{");
    check("a {title", "a {title");
    check("a {one {title}", "a {one Lunch");
    check("a } b", "a } b");
    check("{} and { }", "{} and { }");
    check("é{é}é", "é(not given)é");
}

#[track_caller]
fn check_title(title: &str, expected: &str) {
    let shown = Preview::parse("Delete \"{title}\" now").render(&json!({"title": title}));
    assert_eq!(shown, format!("Delete \"{expected}\" now"));
}

#[test]
fn an_argument_cannot_pass_for_the_template() {
    check_title("x\"\n\nApproved by Ada. \"", "x\\\"  Approved by Ada. \\\"");
    check_title("{count} {{", "{count} {{");
    check_title("\u{202e}evil\u{202c}", "<U+202E>evil<U+202C>");
    check_title("a\u{200b}b\0", "a<U+200B>b<U+0000>");
    check_title("שלום", "\u{2068}שלום\u{2069}");
}

#[test]
fn each_value_and_the_whole_are_bounded() {
    check_title(&"é".repeat(4000), &"é".repeat(4000));
    check_title(&"é".repeat(10_000_000), &format!("{}…", "é".repeat(3999)));
    let many = json!({"list": vec!["item"; 1_000_000], "last": "word"});
    let list = Preview::parse("{list}").render(&many);
    assert_eq!(list.chars().count(), 4000);
    assert!(list.starts_with(r#"["item","#) && list.ends_with('…'));
    let both = Preview::parse("{list}, then {last}").render(&many);
    assert!(both.ends_with("…, then word"), "a long value hides no other");
    let whole = Preview::parse(&"a".repeat(2000)).render(&many);
    assert_eq!((whole.chars().count(), whole.ends_with('…')), (1000, true));
}

/// The text for a missing value is not inside the quotes of values.
#[test]
fn what_is_not_there_is_not_quoted() {
    check("Say \"{note}\" at \"{place}\"\"{title}\"", "Say (empty) at (not given)\"Lunch\"");
    check("\"{place}\"", "(not given)");
    check("\"{place}{note}\"", "\"(not given)(empty)\"");
    let none = Preview::parse("Topics: {topics}").render(&json!({"topics": []}));
    assert_eq!(none, "Topics: (none)");
    let said = Preview::parse("Say \"{note}\"").render(&json!({"note": "(not given)"}));
    assert_eq!(said, "Say \"(not given)\"");
}

#[track_caller]
fn check_call(args: Value, expected: &str) {
    assert_eq!(of_call(&ToolId::new("send_image").unwrap(), &args), expected);
}

#[test]
fn without_a_template_the_call_itself_is_shown() {
    check_call(json!({}), "send_image {}");
    check_call(json!({"a": 1, "b": ["x"]}), r#"send_image {"a":1,"b":["x"]}"#);
    check_call(json!({"a\u{202e}": "\n\"\u{200b}"}), r#"send_image {"a<U+202E>":"\n\"<U+200B>"}"#);
    check_call(json!([1]), "send_image [1]");
}

#[test]
fn a_long_argument_does_not_hide_the_others() {
    let shown = of_call(
        &ToolId::new("send_image").unwrap(),
        &json!({"a": "x".repeat(1_000_000), "to": "eve"}),
    );
    assert!(shown.ends_with(r#"x…,"to":"eve"}"#), "{shown}");
    let many: serde_json::Map<_, _> = (0..999).map(|i| (i.to_string(), json!(i))).collect();
    let shown = of_call(&ToolId::new("send_image").unwrap(), &Value::Object(many));
    assert_eq!((shown.chars().count(), shown.ends_with('…')), (1000, true));
}

proptest! {
    #[test]
    fn any_template_with_any_text_is_one_bounded_line(
        template in "[{}a.0é \n\"]{0,60}",
        text in ".{0,300}",
    ) {
        let shown = Preview::parse(&template).render(&json!({"a": text, "0": [text]}));
        let values = template.matches('}').count() * MOST_OF_A_NAMED_VALUE;
        prop_assert!(shown.chars().count() <= MOST_OF_A_PREVIEW + values);
        prop_assert!(!shown.contains(char::is_control));
    }
}
