//! Conditions, previews, pointers and limits over a small tool.

use aileron_contract::condition;
use serde_json::{Value, json};

use crate::lint::docs::sample::{Sample, parameters};
use crate::options::Options;

const FAMILY: &str = "AIL-X";

#[track_caller]
fn check(fields: Value, expected: &[&str]) {
    Sample::new().with(fields).check(FAMILY, expected);
}

#[track_caller]
fn check_places(fields: Value, expected: &[&str]) {
    Sample::new().with(fields).check_places(FAMILY, expected);
}

fn when(text: &str) -> Value {
    json!({"confirmation": {"when": text}})
}

fn preview(text: &str) -> Value {
    json!({"confirmation": {"when": "true", "preview": text}})
}

fn limits(limits: &Value) -> Value {
    json!({"modeLimits": {"voice": limits}})
}

#[test]
fn good_conditions_have_no_findings() {
    check(json!({}), &[]);
    check(when("false"), &[]);
    check(when("args.top_k > 5 || (has(args.filters) && mode == 'voice' && user != null)"), &[]);
    check(when("args.filters.tags.all(tag, tag != \"old\") && type(args.query) == string"), &[]);
    check(
        json!({"availability": {"condition": "mode == 'text' && size(user.scopes) > 0 && conversation.turn < 9"}}),
        &[],
    );
}

#[test]
fn what_is_no_expression_is_pointed_into() {
    check(
        when("mode == 'voice' and true"),
        &[
            "X001 schema.json:8 `confirmation.when` is not a CEL expression: expected an operator or the end, found `and` => write `&&` for and",
        ],
    );
    check_places(when("mode == \"voice\" and true"), &["and"]);
    check_places(when("mode ==\n§"), &["§"]);
    check(
        json!({"availability": {"condition": "x".repeat(5_000)}}),
        &[
            "X001 schema.json:7 `availability.condition` is not a CEL expression: expected at most 4096 characters, found 5000 => decide in the handler what takes this much to say",
        ],
    );
}

#[test]
fn variables_that_are_not_there_are_reported() {
    check(
        when("args.top_k > 5 && usr.name == 'x'"),
        &[
            "X002 schema.json:8 `confirmation.when` has no variable `usr`: expected one of `args`, `mode`, `user` => did you mean `user`?",
        ],
    );
    check(
        when("top_k > 5"),
        &[
            "X002 schema.json:8 `confirmation.when` has no variable `top_k`: expected one of `args`, `mode`, `user` => write `args.top_k` for the parameter",
        ],
    );
    check(
        json!({"availability": {"condition": "args.nothing > 5"}}),
        &[
            "X002 schema.json:7 `availability.condition` has no variable `args`: expected one of `mode`, `user`, `conversation` => decide by arguments in `confirmation.when`, or in the handler",
        ],
    );
    check(
        when("no"),
        &[
            "X002 schema.json:8 `confirmation.when` has no variable `no`: expected one of `args`, `mode`, `user`",
        ],
    );
}

#[test]
fn parameters_that_are_not_there_are_reported() {
    check(
        when("args.topk > 5"),
        &[
            "X003 schema.json:8 `confirmation.when` asks for `args.topk`, which is no parameter => did you mean `top_k`?",
        ],
    );
    check_places(
        when("has(args.one) || \"two\" in args || args['three']"),
        &["one", "\\\"two\\\"", "'three'"],
    );
    check(
        when("args.confirmation_token == ''"),
        &[
            "X003 schema.json:8 `confirmation.when` asks for `args.confirmation_token`, which is no parameter => write the name as `parameters` spell it",
        ],
    );
}

#[test]
fn functions_that_are_not_there_are_reported() {
    check(
        when("len(args.query) > 5 && args.query.startWith('x') && foo()"),
        &[
            "X008 schema.json:8 `confirmation.when` calls `len`, which is no function of CEL => did you mean `size`?",
            "X008 schema.json:8 `confirmation.when` calls `startWith`, which is no function of CEL => did you mean `startsWith`?",
            "X008 schema.json:8 `confirmation.when` calls `foo`, which is no function of CEL",
        ],
    );
    check_places(when("len(args.query) > 5"), &["len"]);
}

fn available(text: &str) -> Value {
    json!({"availability": {"condition": text}})
}

#[test]
fn properties_that_a_variable_does_not_have_are_reported() {
    check(
        available("user.isAuthenticated"),
        &[
            "X009 schema.json:7 `availability.condition` asks for `user.isAuthenticated`, which `user` does not have => did you mean `authenticated`?",
        ],
    );
    check_places(
        available("user.isAuthenticated && user.scope != []"),
        &["isAuthenticated", "scope"],
    );
    check(
        available("has(user.isAuthenticated) && user['isAuthenticated']"),
        &[
            "X009 schema.json:7 `availability.condition` asks for `user.isAuthenticated`, which `user` does not have => did you mean `authenticated`?",
            "X009 schema.json:7 `availability.condition` asks for `user.isAuthenticated`, which `user` does not have => did you mean `authenticated`?",
        ],
    );
    check(
        available("conversation.channel == 'web' && mode.name == 'text'"),
        &[
            "X009 schema.json:7 `availability.condition` asks for `conversation.channel`, which `conversation` does not have => known here: id, turn, registryVersion",
            "X009 schema.json:7 `availability.condition` asks for `mode.name`, which `mode` does not have => compare it with one of \"text\", \"voice\"",
        ],
    );
    check(
        when("user.userId == 'ada'"),
        &[
            "X009 schema.json:8 `confirmation.when` asks for `user.userId`, which `user` does not have => did you mean `id`?",
        ],
    );
}

#[test]
fn claims_are_named_in_the_settings_or_tested_for() {
    let plan = "X009 warning schema.json:7 `availability.condition` asks for `user.plan`, which only a claim of the person's token can provide; without it every call is refused => known here: id, authenticated, scopes; for a claim of the person's token, add \"plan\" to `[auth.jwt] claims` in aileron.toml, or test with `has(user.plan)` first";
    check(available("user.plan == 'pro'"), &[plan]);
    check(available("has(user.plan) && user.plan == 'pro'"), &[]);
    check(available("'plan' in user && user.plan == 'pro'"), &[]);
    check(available("[{'plan': 1}].all(user, user.plan == 1)"), &[]);
    let claims = Options { claims: vec!["plan".to_owned()], ..Options::default() };
    Sample::new().with(available("user.plan == 'pro'")).options(claims).check(FAMILY, &[]);
}

#[test]
fn every_example_of_the_table_of_variables_is_fine() {
    for field in condition::FIELDS {
        for variable in field.variables {
            let properties = variable.content.properties().iter().map(|property| property.example);
            for example in properties.chain([variable.example]) {
                let example = example.replace("attendees", "query");
                match field.name {
                    "confirmation.when" => check(when(&example), &[]),
                    _ => check(available(&example), &[]),
                }
            }
        }
    }
}

#[test]
fn good_previews_have_no_findings() {
    check(
        preview(
            "Search {query} ({query.length}) in {filters.type}, {filters.tags.length} tags {{x}}",
        ),
        &[],
    );
}

#[test]
fn previews_of_unknown_parameters_are_reported() {
    check(
        preview("{quary} {filters.typ} {top_k.length} {filters.tags.lenght}"),
        &[
            "X004 schema.json:8 `confirmation.preview` shows `{quary}`, which is no parameter => did you mean `{query}`?",
            "X004 schema.json:8 `confirmation.preview` shows `{filters.typ}`, which is no parameter => did you mean `{filters.type}`?",
            "X004 schema.json:8 `confirmation.preview` shows `{top_k.length}`, which is no parameter => write a name as `parameters` spell it, or `{{` and `}}` for braces",
            "X004 schema.json:8 `confirmation.preview` shows `{filters.tags.lenght}`, which is no parameter => did you mean `{filters.tags.length}`?",
        ],
    );
    check_places(preview("say \"{quary}\""), &["quary"]);
    check(
        preview("{ query } {filters..type} {length}"),
        &[
            "X004 schema.json:8 `confirmation.preview` shows `{ query }`, which is no parameter => did you mean `{query}`?",
            "X004 schema.json:8 `confirmation.preview` shows `{filters..type}`, which is no parameter => write a name as `parameters` spell it, or `{{` and `}}` for braces",
            "X004 schema.json:8 `confirmation.preview` shows `{length}`, which is no parameter => write a name as `parameters` spell it, or `{{` and `}}` for braces",
        ],
    );
}

#[test]
fn previews_with_broken_braces_are_reported() {
    check(
        preview("{query and {} or } x"),
        &[
            "X005 schema.json:8 `confirmation.preview` has a `{` without its `}` => close it after the parameter's name, or write `{{` for a brace",
            "X005 schema.json:8 `confirmation.preview` has braces with no name in them => name a parameter between them, or write `{{}}` for braces",
            "X005 schema.json:8 `confirmation.preview` has a `}` without its `{` => open it before the parameter's name, or write `}}` for a brace",
        ],
    );
}

#[test]
fn pointers_lead_somewhere() {
    let returns = json!({"type": "object", "additionalProperties": false, "properties": {
        "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}, "any": {}},
        "$defs": {"row": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a/b": {}}}]}}});
    let fields = |pointers: Value| json!({"redact": pointers, "returns": returns});
    check(
        fields(json!(["/query", "/filters/type", "/filters/tags/0", "/rows/3/a~1b", "/any/x/y"])),
        &[],
    );
    check(
        fields(json!(["/quary", "/rows/a~1b", "/rows/0/c", "/query/x"])),
        &[
            "X006 schema.json:56 `redact` names `/quary`, which leads to nothing in `parameters` or `returns` => did you mean `/query`?",
            "X006 schema.json:57 `redact` names `/rows/a~1b`, which leads to nothing in `parameters` or `returns` => correct the pointer, or declare the value in `returns`",
            "X006 schema.json:58 `redact` names `/rows/0/c`, which leads to nothing in `parameters` or `returns` => correct the pointer, or declare the value in `returns`",
            "X006 schema.json:59 `redact` names `/query/x`, which leads to nothing in `parameters` or `returns` => correct the pointer, or declare the value in `returns`",
        ],
    );
    check_places(fields(json!(["/query", "/quary"])), &["\"/quary\""]);
}

#[test]
fn without_returns_a_pointer_may_mean_the_data() {
    check(
        json!({"redact": ["/quary"]}),
        &[
            "X006 warning schema.json:56 `redact` names `/quary`, which leads to nothing in `parameters`, and `returns` is not declared => did you mean `/query`?",
        ],
    );
}

#[test]
fn limits_that_are_tighter_have_no_findings() {
    check(limits(&json!({"top_k": {"maximum": 3, "minimum": 2}, "query": {"maxLength": 50}})), &[]);
}

#[test]
fn limits_on_nothing_are_reported() {
    check(
        limits(&json!({"topk": {"maximum": 3}})),
        &[
            "X007 schema.json:12 `modeLimits` limits `topk`, which is no parameter => did you mean `top_k`?",
        ],
    );
    check_places(limits(&json!({"topk": {"maximum": 3}})), &["\"topk\""]);
}

#[test]
fn bounds_of_another_type_are_reported() {
    check(
        limits(
            &json!({"query": {"maximum": 3, "maxItems": 1}, "top_k": {"exclude": [1], "maxLength": 3}}),
        ),
        &[
            "X007 schema.json:13 `maxItems` does not apply: expected a parameter of type array, found string => use a bound of the parameter's type, or remove it",
            "X007 schema.json:14 `maximum` does not apply: expected a parameter of type number, found string => use a bound of the parameter's type, or remove it",
            "X007 schema.json:17 `exclude` does not apply: expected a parameter of type array or string, found integer => use a bound of the parameter's type, or remove it",
            "X007 schema.json:20 `maxLength` does not apply: expected a parameter of type string, found integer => use a bound of the parameter's type, or remove it",
        ],
    );
}

#[test]
fn bounds_that_are_not_tighter_are_a_warning_and_impossible_ones_an_error() {
    check(
        limits(&json!({"top_k": {"maximum": 10, "minimum": 11}, "query": {"maxLength": 0}})),
        &[
            "X007 schema.json:13 `maxLength` 0 contradicts the schema's own `minLength` 1 => choose a bound that the schema allows; arguments are clamped to it",
            "X007 warning schema.json:16 `maximum` 10 is not tighter than the schema's own 10 => choose a tighter bound, or remove it",
            "X007 schema.json:17 `minimum` 11 contradicts the schema's own `maximum` 10 => choose a bound that the schema allows; arguments are clamped to it",
        ],
    );
}

#[test]
fn excluded_values_are_among_those_allowed() {
    let mut parameters = parameters();
    parameters["properties"]["tags"] =
        parameters["properties"]["filters"]["properties"]["tags"].clone();
    let with = |exclude: Value| json!({"parameters": parameters, "modeLimits": {"voice": {"tags": {"exclude": exclude}}}});
    check(with(json!(["old"])), &[]);
    check(
        with(json!(["olde", 5])),
        &[
            "X007 schema.json:14 `exclude` takes out \"olde\", which is not among the values of the parameter => did you mean `old`?",
            "X007 schema.json:15 `exclude` takes out 5, which is not among the values of the parameter => remove it",
        ],
    );
    check(
        with(json!(["old", "new"])),
        &[
            "X007 schema.json:13 `exclude` takes out every value that the parameter may have => leave at least one",
        ],
    );
}

#[test]
fn fields_of_the_wrong_type_are_left_to_others() {
    check(
        json!({"confirmation": {"when": 5, "preview": []}, "redact": [5, "x"], "modeLimits": {"voice": {"top_k": 5, "query": {"maxLength": "x", "exclude": 3}}}}),
        &[],
    );
    check(json!({"confirmation": "x", "redact": "x", "modeLimits": "x", "availability": []}), &[]);
    check(
        json!({"parameters": null, "confirmation": {"when": "args.x", "preview": "{x}"}, "redact": ["/x"]}),
        &[],
    );
}
