//! Conditions as authors write them, and conditions that fail closed.

use std::collections::BTreeSet;

use aileron_contract::condition::{self, Variable};
use aileron_contract::{ConversationId, UserId};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::person::Person;
use crate::policy_state::PolicyState;

fn decide(text: &str, args: &Value) -> Result<bool, ExpressionError> {
    let user = json!({"id": "ada", "scopes": ["calendar"]});
    let conversation = json!({"id": "c-1", "turn": 3});
    Expression::parse(text)?.holds(&Variables {
        mode: Mode::Voice,
        user: &user,
        conversation: Some(&conversation),
        args: Some(args),
    })
}

fn args() -> Value {
    json!({
        "attendees": ["ada", "tom"],
        "title": "Lunch",
        "count": 3,
        "price": 1.5,
        "huge": 18_446_744_073_709_551_615_u64,
        "nested": {"list": [1, 2, 3], "flag": true},
        "nothing": null,
        "odd-name": 1,
    })
}

#[track_caller]
fn check(text: &str, expected: bool) {
    assert_eq!(decide(text, &args()), Ok(expected), "{text}");
}

#[track_caller]
fn fails(text: &str, message: &str) {
    let error = decide(text, &args()).unwrap_err();
    assert_eq!(error.to_string(), message, "{text}");
}

#[test]
fn conditions_see_their_variables() {
    check("mode == 'voice'", true);
    check("mode == 'text' || user.id == 'ada'", true);
    check("'calendar' in user.scopes && conversation.turn > 2", true);
    check("size(args.attendees) > 10", false);
    check("args.attendees.size() == 2 && args.title.startsWith('Lun')", true);
    check("args.attendees.exists(who, who == 'tom')", true);
    check("args.nested.list.all(n, n > 1)", false);
    check("args.nested.flag ? args.count == 3 : false", true);
    check("args['odd-name'] == 1 && 'title' in args && !('x' in args)", true);
    check("args.nothing == null", true);
}

#[test]
fn numbers_are_what_authors_expect() {
    check("args.count == 3 && args.count + 1 == 4 && args.count > 2.5", true);
    check("args.price > 1 && args.price * 2.0 == 3.0", true);
    check("args.huge > 5", true);
}

#[test]
fn has_asks_for_what_may_be_missing() {
    check("has(args.title)", true);
    check("has(args.x)", false);
    check("has(args.x) && size(args.x) > 3", false);
    check("!has(args.nested.x)", true);
    check("size(args.x) > 3 || true", true);
}

#[test]
fn whatever_cannot_be_decided_is_an_error() {
    let prefix = "the condition could not be decided";
    fails("size(args.x) > 3", &format!("{prefix}: there is no `x`"));
    fails("foo == 1", &format!("{prefix}: unknown name `foo`"));
    fails("len(args.title) > 1", &format!("{prefix}: unknown name `len`"));
    fails(
        "args.title > 1",
        &format!("{prefix}: found no matching overload for '_>_' applied to '(string, int)'"),
    );
    fails("args.count", "expected true or false, found a int");
    fails("args.title", "expected true or false, found a string");
    fails("null", "expected true or false, found a null");
    fails("1 / 0 == 1", &format!("{prefix}: a value does not fit its operator or function"));
    fails("args.attendees[7] == ''", &format!("{prefix}: a key or an index is not there"));
    fails(
        "user.id.x == 1",
        &format!("{prefix}: found no matching overload for '_._' applied to '(string, string)'"),
    );
}

#[test]
fn a_variable_that_is_not_given_is_unknown() {
    let user = Value::Null;
    let bare = Variables { mode: Mode::Text, user: &user, conversation: None, args: None };
    let decide = |text: &str| Expression::parse(text).unwrap().holds(&bare);
    assert_eq!(decide("mode == 'text' && user == null"), Ok(true));
    for text in ["args.x == 1", "has(args.x)", "size(args) == 0", "conversation.turn > 1"] {
        assert!(matches!(decide(text), Err(ExpressionError::Failed(_))), "{text}");
    }
    assert!(decide("user.id == 'ada'").is_err());
}

#[test]
fn errors_do_not_repeat_what_was_sent() {
    let args = json!({"secret": "hunter2", "map": {}});
    for text in [
        "args.map[args.secret] == 1",
        "args.secret < 1",
        "int(args.secret) == 1",
        "args.secret",
        "timestamp(args.secret) > timestamp('2020-01-01T00:00:00Z')",
    ] {
        let error = decide(text, &args).unwrap_err().to_string();
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[test]
fn constants_need_no_evaluation() {
    for (text, value) in [("true", true), ("false", false), (" false ", false)] {
        let expression = Expression::parse(text).unwrap();
        assert!(matches!(expression.0, ExpressionForm::Constant(found) if found == value));
    }
    check("false", false);
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(Expression::parse(text).unwrap_err().to_string(), message);
}

#[test]
fn what_is_no_expression_is_refused_when_it_is_read() {
    let deep = "expected at most 96 levels of brackets and 128 of operators, found more";
    refused("", "expected a CEL expression, found the end at line 1, column 1");
    refused("args.count = 3", "expected a CEL expression, found `=` at line 1, column 12");
    refused(
        "mode == 'voice' and true",
        "expected a CEL expression, found `and` at line 1, column 17",
    );
    refused("size(args.x", "expected a CEL expression, found the end at line 1, column 12");
    refused("'a' 'b'", "expected a CEL expression, found `'b'` at line 1, column 5");
    refused(&format!("{}a", "(".repeat(300)), deep);
    refused(&"a".repeat(4097), "expected at most 4096 characters, found 4097");
    refused(&format!("a{}", "+a".repeat(2000)), deep);
    refused(
        "args.a.matches(args.b)",
        "expected the pattern of `matches` as a text, found an expression",
    );
}

/// Every function that the compiler's lint accepts.
#[test]
fn the_functions_of_the_library_are_there() {
    for text in [
        "bool('true') && type(1) == int && dyn(1) == 1 && uint(1) == 1u && int('7') == 7",
        "bytes('a') == b'a' && double('1.5') == 1.5 && string(1) == '1'",
        "'abc'.contains('b') && 'abc'.endsWith('c') && 'abc'.startsWith('a')",
        "'abc'.matches('^a.c$') && matches('abc', 'b')",
        "[1, 2].all(n, n > 0) && [1].exists(n, n == 1) && [1, 2].exists_one(n, n == 1)",
        "[1, 2].existsOne(n, n == 1)",
        "[1, 2].filter(n, n > 1) == [2] && [1].map(n, n + 1) == [2] && size([1]) == 1",
        "duration('60s') == duration('1m') && duration('1h').getMinutes() == 60",
        "timestamp('2024-02-03T04:05:06.007Z').getFullYear() == 2024",
        "timestamp('2024-02-03T04:05:06.007Z').getMonth() == 1",
        "timestamp('2024-02-03T04:05:06.007Z').getDate() == 3",
        "timestamp('2024-02-03T04:05:06.007Z').getDayOfMonth() == 2",
        "timestamp('2024-02-03T04:05:06.007Z').getDayOfWeek() == 6",
        "timestamp('2024-02-03T04:05:06.007Z').getDayOfYear() == 33",
        "timestamp('2024-02-03T04:05:06.007Z').getHours() == 4",
        "timestamp('2024-02-03T04:05:06.007Z').getMinutes() == 5",
        "timestamp('2024-02-03T04:05:06.007Z').getSeconds() == 6",
        "timestamp('2024-02-03T04:05:06.007Z').getMilliseconds() == 7",
    ] {
        check(text, true);
    }
}

#[test]
fn only_what_is_asked_for_weighs() {
    let args = json!({"body": "x".repeat(10_000_000), "flag": true, "list": [1, 2]});
    assert_eq!(decide("args.flag", &args), Ok(true));
    assert_eq!(decide("has(args.flag) && args['flag'] && 'flag' in args", &args), Ok(true));
    for text in ["size(args.body) > 1", "args == {}", "size(args) > 1", "args.all(k, k != '')"] {
        assert_eq!(decide(text, &args), Err(ExpressionError::TooLarge), "{text}");
    }
    let fits = json!({"body": "x".repeat(200_000)});
    assert_eq!(decide("size(args.body) == 200000", &fits), Ok(true));
}

#[test]
fn nesting_of_arguments_is_bounded() {
    let mut deep = json!(1);
    for _ in 0..500 {
        deep = Value::Array(vec![deep]);
    }
    let args = json!({"deep": deep});
    assert_eq!(decide("args.deep == 1", &args), Err(ExpressionError::TooLarge));
}

#[test]
fn work_is_bounded_before_it_begins() {
    let list = |n: usize| json!({"l": vec!["item"; n], "t": "x".repeat(100_000)});
    let once = "args.l.all(x, x != '' && x.size() < 9)";
    let twice = "args.l.all(x, args.l.exists(y, x == y))";
    let thrice = "args.l.all(x, args.l.all(y, args.l.all(z, x == y || z != y)))";
    assert_eq!(decide(once, &list(5000)), Ok(true));
    assert_eq!(decide(twice, &list(150)), Ok(true));
    assert_eq!(decide(twice, &list(2000)), Err(ExpressionError::TooMuchWork));
    assert_eq!(decide(thrice, &list(20)), Ok(true));
    assert_eq!(decide(thrice, &list(300)), Err(ExpressionError::TooMuchWork));
    let text = "args.l.all(x, !args.t.contains(x))";
    assert_eq!(decide(text, &list(1000)), Ok(true));
    let copies = format!("size({}args.t) > 1", "args.t + ".repeat(100));
    assert_eq!(decide(&copies, &list(0)), Ok(true));
    let grown = "args.l.map(x, args.l + args.l).map(y, y + y).all(z, z.all(w, w != ''))";
    assert_eq!(decide(grown, &list(500)), Err(ExpressionError::TooMuchWork));
}

#[test]
fn work_over_what_is_written_out_is_bounded_too() {
    let tens = "[0,1,2,3,4,5,6,7,8,9]";
    let nested = |depth: usize| {
        let open: String = (0..depth).map(|i| format!("{tens}.all(x{i}, ")).collect();
        format!("{open}x0 >= 0{}", ")".repeat(depth))
    };
    assert_eq!(decide(&nested(3), &json!({})), Ok(true));
    assert_eq!(decide(&nested(9), &json!({})), Err(ExpressionError::TooMuchWork));
}

#[test]
fn the_deepest_expression_fits_the_stack() {
    for text in [
        format!("1{} > 0", "+1".repeat(MAX_LEVELS - 3)),
        format!("{}true", "!!".repeat(60)),
        format!("args{} == 1", "['a']".repeat(100)),
        format!("{}1{} == [[1]]", "[".repeat(90), "]".repeat(90)),
        format!("{}true{}", "[1].all(x, ".repeat(40), ")".repeat(40)),
    ] {
        let parsed = Expression::parse(&text);
        assert!(parsed.is_ok(), "{text}: {parsed:?}");
        let _ = decide(&text, &json!({}));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_decided_or_refused(
        pieces in prop::collection::vec(
            prop_oneof![
                Just("args"), Just("args.list"), Just("."), Just("("), Just(")"), Just("["),
                Just("]"), Just("{"), Just("}"), Just(","), Just(":"), Just("?"), Just("!"),
                Just("-"), Just(" == "), Just(" && "), Just(" || "), Just("'x'"), Just("1"),
                Just("2u"), Just("1.5"), Just("has("), Just(".all(x, x > 1)"), Just(" in "),
                Just(".map(x, x)"), Just("size("), Just(" + "), Just("null"), Just("b'a'"),
                Just("user"), Just("mode"), Just("x"), Just("timestamp("), Just(" % "),
                Just("duration('1s')"), Just("9223372036854775807"), Just("int("), Just("?."),
                Just("Foo{a: 1}"), Just("optional.of(1)"), Just("[?"), Just(" * "), Just(" / "),
            ],
            0..14,
        ),
    ) {
        let _ = decide(&pieces.concat(), &json!({"list": [1, "a", null, {"x": 1}]}));
    }
}

/// The names of the properties that the table of variables gives one.
fn tabled(variable: &Variable) -> BTreeSet<&'static str> {
    variable.content.properties().iter().map(|property| property.name).collect()
}

fn names(view: &Value) -> BTreeSet<&str> {
    view.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn conditions_see_what_the_table_of_variables_promises() {
    let person = Person::known(UserId::new("ada").unwrap());
    assert_eq!(names(&person.view()), tabled(&condition::USER));
    let id = ConversationId::new("c-1").unwrap();
    let memory = PolicyState::begin((id, Mode::Text), &person, "1.0.a1b2c3d4");
    assert_eq!(names(&memory.view()), tabled(&condition::CONVERSATION));
}
