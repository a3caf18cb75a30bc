//! Every rule about parameters: findings, and inputs without findings.

use serde_json::json;

use super::*;
use crate::source::Source;

/// The findings at a root of a document, and whether it compiled.
pub(super) fn findings(document: &Value, root: &str) -> (Vec<Diagnostic>, bool) {
    let mut found = Vec::new();
    let document = Document::parse(&Source::new("schema.json", document.to_string()), &mut found);
    let compiled = document.and_then(|document| check(&document, root, &mut found));
    (found, compiled.is_some())
}

/// A tool with one parameter, `p`.
pub(super) fn tool(schema: &Value) -> Value {
    json!({"parameters": {"type": "object", "additionalProperties": false, "properties": {"p": schema}}})
}

pub(super) fn lines(found: &[Diagnostic], root: &str) -> Vec<String> {
    let line = |finding: &Diagnostic| {
        let code = finding.rule.code.trim_start_matches("AIL-");
        let pointer = finding.pointer.as_deref().unwrap_or_default();
        format!("{code} {} {}", pointer.strip_prefix(root).unwrap_or(pointer), finding.message)
    };
    let mut lines: Vec<_> = found.iter().map(line).collect();
    lines.sort();
    lines
}

/// Checks the schema of a parameter `p`; pointers are from there.
#[track_caller]
pub(super) fn check_parameter(schema: impl Into<Value>, expected: &[&str]) {
    let (found, _) = findings(&tool(&schema.into()), "/parameters");
    assert_eq!(lines(&found, "/parameters/properties/p"), expected);
}

/// Checks whole `parameters`; pointers are from there.
#[track_caller]
pub(super) fn check_parameters(schema: impl Into<Value>, expected: &[&str]) {
    let (found, _) = findings(&json!({"parameters": schema.into()}), "/parameters");
    assert_eq!(lines(&found, "/parameters"), expected);
}

/// Checks the one help that a parameter's schema gets.
#[track_caller]
pub(super) fn check_help(schema: impl Into<Value>, expected: &str) {
    let (found, _) = findings(&tool(&schema.into()), "/parameters");
    let helps: Vec<_> = found.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(helps, [expected]);
}

#[test]
fn rules_are_listed_in_order_and_explained() {
    let rules = crate::lint::parameters::RULES;
    for (number, rule) in rules.iter().enumerate() {
        assert_eq!(rule.code, format!("AIL-A{:03}", number + 1));
        for heading in ["## Why", "## Example", "## Fix"] {
            assert!(rule.explanation.contains(heading), "{} has no {heading}", rule.code);
        }
    }
}

/// The fenced JSON of a rule's explanation.
fn example(rule: &Rule) -> Option<Value> {
    let (_, fenced) = rule.explanation.split_once("```json")?;
    serde_json::from_str(fenced.split_once("```")?.0).ok()
}

#[test]
fn examples_of_rules_show_what_they_find() {
    let rules = crate::lint::parameters::RULES;
    for rule in rules.iter().filter(|rule| rule.name != "not-a-schema") {
        let example = example(rule).unwrap_or_default();
        let whole = [
            (json!({"parameters": example}), "/parameters"),
            (json!({"returns": example}), "/returns"),
            (example, "/parameters"),
        ];
        let finds = |(document, root): &(Value, &str)| {
            findings(document, root).0.iter().any(|finding| finding.rule == *rule)
        };
        assert!(whole.iter().any(finds), "{rule}");
    }
}

#[test]
fn keywords_are_sorted() {
    assert!(keyword::KEYWORDS.is_sorted_by_key(|keyword| keyword.name));
}

#[test]
fn a_sound_schema_is_left_alone() {
    check_parameters(
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object", "additionalProperties": false, "required": ["query"],
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": 500, "pattern": "\\S"},
                "top_k": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5, "examples": [3]},
                "since": {"type": ["string", "null"], "format": "date-time", "default": null},
                "filters": {"$ref": "#/$defs/filters", "x-owner": "search"},
                "fields": {"type": "array", "items": {"enum": ["title", "text"]}, "default": ["title"]},
                "anything": true, "nothing": false
            },
            "$defs": {"filters": {"type": "object", "properties": {
                "all": {"type": "array", "items": {"$ref": "#/$defs/filters"}}}}}
        }),
        &[],
    );
}

#[test]
fn what_is_absent_is_not_checked() {
    let (found, compiled) = findings(&json!({"parameters": {}}), "/returns");
    assert_eq!((found.len(), compiled), (0, false));
}

#[test]
fn returns_may_be_anything_but_nothing() {
    for (schema, expected) in [
        (json!({"type": "array"}), vec![]),
        (json!(true), vec![]),
        (json!(false), vec!["A017  no value fits `returns`: it is false"]),
        (
            json!("x"),
            vec![
                "A002  expected a schema for `returns`: an object, true or false, found the string \"x\"",
            ],
        ),
        (
            json!({"properties": {"hits": {"type": "int"}}}),
            vec![
                "A009 /properties/hits/type unknown type `int` of `returns.hits`: expected string, integer, number, boolean, array, object, null",
            ],
        ),
    ] {
        let (found, _) = findings(&json!({"returns": schema}), "/returns");
        assert_eq!(lines(&found, "/returns"), expected);
    }
}

#[test]
fn unknown_keywords_are_named_with_the_right_one() {
    check_parameter(
        json!({"type": "string", "maxLenght": 5, "x-note": 1}),
        &["A001 /maxLenght unknown keyword `maxLenght` in `p`"],
    );
    check_help(json!({"maxLenght": 5}), "did you mean `maxLength`?");
    check_help(json!({"max_length": 5}), "did you mean `maxLength`?");
    check_help(json!({"additionalPropertis": false}), "did you mean `additionalProperties`?");
    check_help(
        json!({"note": "x"}),
        "remove it, or write `x-note` if it is a note for other programs",
    );
    check_help(
        json!({"city": {"type": "string"}}),
        "if `city` is a property, move it under `properties`",
    );
}

#[test]
fn names_of_properties_are_not_keywords() {
    check_parameter(
        json!({"type": "object", "properties": {"maxLenght": {}, "$ref": {"type": "string"}, "id": {}}}),
        &[],
    );
    check_parameter(json!({"enum": [{"maxLenght": 1}], "const": {"maxLenght": 1}}), &[]);
}

#[test]
fn values_of_keywords_have_a_form() {
    for (keyword, value, expected) in [
        ("minLength", json!(-1), "a whole number, 0 or more, found -1"),
        ("maxItems", json!(1.5), "a whole number, 0 or more, found 1.5"),
        ("maxProperties", json!("3"), "a whole number, 0 or more, found the string \"3\""),
        ("multipleOf", json!(0), "a number above 0, found 0"),
        ("minimum", json!(null), "a number, found null"),
        ("uniqueItems", json!(1), "true or false, found 1"),
        ("required", json!("a"), "a list of property names, found the string \"a\""),
        (
            "dependentRequired",
            json!([]),
            "an object of lists of property names, found an empty array",
        ),
        ("enum", json!([]), "a list of at least one value, found an empty array"),
        ("enum", json!("a"), "a list of at least one value, found the string \"a\""),
        ("properties", json!(["a"]), "an object of schemas by name, found an array"),
        ("patternProperties", json!(1), "an object of schemas by regular expression, found 1"),
        ("anyOf", json!([]), "a list of at least one schema, found an empty array"),
        ("allOf", json!({}), "a list of at least one schema, found an object"),
        ("type", json!(7), "a type name or a list of type names, found 7"),
        ("title", json!({}), "a string, found an object"),
        ("examples", json!("x"), "a list of values, found the string \"x\""),
        ("pattern", json!(5), "a string with a regular expression, found 5"),
        (
            "$anchor",
            json!("1a"),
            "a name of letters, digits, `_`, `-` and `.`, a letter or `_` first, found the string \"1a\"",
        ),
        (
            "$id",
            json!("two words"),
            "a URI without `#` and what follows it, found the string \"two words\"",
        ),
        ("$ref", json!({}), "a string such as \"#/$defs/name\", found an object"),
    ] {
        check_parameter(
            json!({keyword: value}),
            &[&format!("A002 /{keyword} `{keyword}` of `p`: expected {expected}")],
        );
    }
}

#[test]
fn forms_that_the_meta_schema_allows_are_allowed() {
    check_parameter(json!({"maxLength": 2.0, "minItems": 0, "required": []}), &[]);
    check_parameter(json!({"type": ["string", "null"], "examples": []}), &[]);
    check_parameter(json!({"properties": {}, "$defs": {}, "$comment": "", "$id": "part"}), &[]);
}

#[test]
fn entries_of_lists_have_a_form_too() {
    check_parameter(
        json!({"required": ["a", 1, "a"], "dependentRequired": {"a": ["b", "b"], "c": "d"}}),
        &[
            "A002 /dependentRequired/a/1 `dependentRequired` of `p` holds \"b\" twice",
            "A002 /dependentRequired/c `dependentRequired` of `p`: expected a list of property names for `c`, found the string \"d\"",
            "A002 /required/1 `required` of `p`: expected property names, found 1",
            "A002 /required/2 `required` of `p` holds \"a\" twice",
        ],
    );
    check_parameter(
        json!({"enum": [1, "1", 1.0, {"a": 1}, {"a": 1}]}),
        &[
            "A002 /enum/2 `enum` of `p` holds 1.0 twice",
            "A002 /enum/4 `enum` of `p` holds {\"a\":1} twice",
        ],
    );
    check_parameter(
        json!({"items": "string", "properties": {"a": null}, "anyOf": [3]}),
        &[
            "A002 /anyOf/0 expected a schema for `p`: an object, true or false, found 3",
            "A002 /items expected a schema for `p[]`: an object, true or false, found the string \"string\"",
            "A002 /properties/a expected a schema for `p.a`: an object, true or false, found null",
        ],
    );
    check_help(
        json!({"type": "object", "properties": {"a": {"required": true}}}),
        "name the property in the `required` list of the object that holds it, and remove this",
    );
}

#[test]
fn clear_mistakes_are_corrected() {
    for (schema, help) in [
        (json!({"maxLength": "3"}), "write it without quotes: `3`"),
        (json!({"uniqueItems": "true"}), "write it without quotes: `true`"),
        (json!({"enum": "a"}), "write a list: `[\"a\"]`"),
        (json!({"required": "a"}), "write a list: `[\"a\"]`"),
        (json!({"items": "string"}), "write `{ \"type\": \"string\" }`"),
        (json!({"properties": {"a": "integer"}}), "write `{ \"type\": \"integer\" }`"),
    ] {
        check_help(schema, help);
    }
}

#[test]
fn the_deepest_documents_are_walked() {
    let nested = |open: &str, close: &str, times: usize| {
        let text = format!("{}true{}", open.repeat(times), close.repeat(times));
        serde_json::from_str::<Value>(&text).unwrap_or_default()
    };
    check_parameter(nested("{\"not\":", "}", 120), &[]);
    check_parameter(nested("{\"anyOf\":[", "]}", 60), &[]);
    check_parameter(nested("{\"properties\":{\"a\":", "}}", 60), &[]);
}

#[test]
fn keywords_apply_to_types() {
    check_parameter(
        json!({"type": "integer", "maxLength": 3}),
        &["A003 /maxLength `maxLength` of `p` applies to string, but its type is integer"],
    );
    check_parameter(
        json!({"type": ["array", "null"], "properties": {}}),
        &["A003 /properties `properties` of `p` applies to object, but its type is array or null"],
    );
    check_parameter(
        json!({"type": "string", "items": {}, "minimum": 1}),
        &[
            "A003 /items `items` of `p` applies to array, but its type is string",
            "A003 /minimum `minimum` of `p` applies to number, but its type is string",
        ],
    );
    check_parameter(
        json!({"type": "integer", "format": "date-time"}),
        &["A003 /format `format` of `p` applies to string, but its type is integer"],
    );
    check_help(json!({"type": "integer", "maxLength": 3}), "did you mean `maximum`?");
    check_help(json!({"type": "array", "minLength": 3}), "did you mean `minItems`?");
    check_help(json!({"type": "string", "items": {}}), "remove `items` or correct the type");
}

#[test]
fn keywords_apply_where_the_type_allows_or_is_open() {
    check_parameter(json!({"maxLength": 3, "items": {}}), &[]);
    check_parameter(json!({"type": ["string", "integer"], "maxLength": 3, "minimum": 1}), &[]);
    check_parameter(json!({"type": "integer", "minimum": 1, "multipleOf": 2}), &[]);
}

#[test]
fn keywords_without_their_companion_have_no_effect() {
    check_parameter(
        json!({"then": {}, "minContains": 1}),
        &[
            "A003 /minContains `minContains` of `p` has no effect without `contains`",
            "A003 /then `then` of `p` has no effect without `if`",
        ],
    );
    check_parameter(json!({"if": {}, "then": {}, "else": {}}), &[]);
}

#[test]
fn types_are_named_as_json_schema_names_them() {
    let expected = "expected string, integer, number, boolean, array, object, null";
    check_parameter(
        json!({"type": ["OBJECT", "null"]}),
        &[&format!("A009 /type/0 unknown type `OBJECT` of `p`: {expected}")],
    );
    for (name, help) in [
        ("OBJECT", "did you mean `object`?"),
        ("str", "did you mean `string`?"),
        ("int", "did you mean `integer`?"),
        ("Float", "did you mean `number`?"),
        ("dict", "did you mean `object`?"),
        ("strnig", "did you mean `string`?"),
        ("any", "leave `type` out to allow any type"),
        ("string | null", "write `\"type\": [\"string\", \"null\"]`"),
        ("int?", "write `\"type\": [\"integer\", \"null\"]`"),
        ("date", "write `\"type\": \"string\", \"format\": \"date\"`"),
        ("zebra", "use one of these, or leave `type` out to allow any"),
    ] {
        check_help(json!({"type": name}), help);
    }
}

#[test]
fn bounds_leave_room() {
    for (schema, place, message) in [
        (
            json!({"minimum": 10, "maximum": 5}),
            "minimum",
            "`minimum` of `p` is 10, above its `maximum` 5",
        ),
        (
            json!({"minLength": 2, "maxLength": 1}),
            "minLength",
            "`minLength` of `p` is 2, above its `maxLength` 1",
        ),
        (
            json!({"minItems": 2, "maxItems": 1}),
            "minItems",
            "`minItems` of `p` is 2, above its `maxItems` 1",
        ),
        (
            json!({"minProperties": 2, "maxProperties": 1}),
            "minProperties",
            "`minProperties` of `p` is 2, above its `maxProperties` 1",
        ),
        (
            json!({"contains": {}, "minContains": 2, "maxContains": 1}),
            "minContains",
            "`minContains` of `p` is 2, above its `maxContains` 1",
        ),
        (
            json!({"exclusiveMinimum": 1, "maximum": 1}),
            "exclusiveMinimum",
            "`exclusiveMinimum` of `p` is 1, not below its `maximum` 1",
        ),
        (
            json!({"minimum": 1, "exclusiveMaximum": 1.0}),
            "minimum",
            "`minimum` of `p` is 1, not below its `exclusiveMaximum` 1.0",
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}),
            "exclusiveMinimum",
            "no integer lies between `exclusiveMinimum` and `exclusiveMaximum` of `p`",
        ),
        (
            json!({"type": "integer", "minimum": 0.2, "maximum": 0.8}),
            "minimum",
            "no integer lies between `minimum` and `maximum` of `p`",
        ),
        (
            json!({"required": ["a", "b"], "maxProperties": 1}),
            "required",
            "`required` of `p` names 2 properties, but its `maxProperties` is 1",
        ),
        (
            json!({"properties": {"a": {}}, "additionalProperties": false, "minProperties": 2}),
            "minProperties",
            "`minProperties` of `p` is 2, but it allows only 1 properties",
        ),
        (
            json!({"prefixItems": [{}], "items": false, "minItems": 2}),
            "minItems",
            "`minItems` of `p` is 2, but it allows only 1 items",
        ),
    ] {
        check_parameter(schema, &[&format!("A010 /{place} {message}")]);
    }
}

#[test]
fn bounds_may_meet() {
    check_parameter(json!({"minimum": 1, "maximum": 1, "minLength": 0, "maxLength": 0}), &[]);
    check_parameter(json!({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2}), &[]);
    check_parameter(json!({"minimum": 0, "maximum": -0.0}), &[]);
    check_parameter(json!({"minimum": 9007199254740993_u64, "maximum": 9007199254740993_u64}), &[]);
    check_parameter(json!({"type": "integer", "exclusiveMinimum": 0, "maximum": 1}), &[]);
}

#[test]
fn required_properties_are_defined_where_the_object_is_closed() {
    let closed = |required: &str| {
        json!({"type": "object", "additionalProperties": false, "required": [required],
            "properties": {"query": {}}, "patternProperties": {"^x_": {}}})
    };
    check_parameter(
        closed("qeury"),
        &["A011 /required/0 `required` of `p` names `qeury`, which it does not define"],
    );
    check_help(closed("qeury"), "did you mean `query`?");
    check_parameter(closed("query"), &[]);
    check_parameter(closed("x_1"), &[]);
    check_parameter(json!({"properties": {"a": {}}, "required": ["b"]}), &[]);
}

#[test]
fn defaults_and_examples_fit() {
    check_parameter(
        json!({"type": "integer", "minimum": 1, "default": 0, "examples": [1, "2"]}),
        &[
            "A012 /default default of `p` does not fit: expected at least 1, found 0",
            "A012 /examples/1 example of `p` does not fit: expected an integer, found a string",
        ],
    );
    check_parameter(
        json!({"type": "array", "items": {"enum": ["a"]}, "default": ["a", "b"]}),
        &["A012 /default/1 default of `p` does not fit: expected one of \"a\", found \"b\""],
    );
    check_parameter(json!({"enum": ["a", "b"], "default": "b", "examples": ["a"]}), &[]);
    check_parameter(json!({"format": "date", "default": "2026-01-31"}), &[]);
    check_help(
        json!({"type": "string", "default": null}),
        "remove the default, or add \"null\" to the type",
    );
}

#[test]
fn defaults_are_checked_through_references() {
    let tool = |default: Value, root: Value| {
        let mut schema = json!({
            "type": "object", "additionalProperties": false,
            "properties": {"a b": {"$ref": "#/$defs/size", "default": default}},
            "$defs": {"size": {"type": "integer", "maximum": 9}}
        });
        for (key, value) in root.as_object().into_iter().flatten() {
            schema[key] = value.clone();
        }
        schema
    };
    let fault =
        "A012 /properties/a b/default default of `a b` does not fit: expected at most 9, found 10";
    check_parameters(tool(json!(10), json!({})), &[fault]);
    check_parameters(tool(json!(10), json!({"$id": "https://example.com/tool"})), &[fault]);
    check_parameters(tool(json!(9), json!({"$id": "tool"})), &[]);
}

#[test]
fn defaults_are_checked_beside_other_faults() {
    check_parameters(
        json!({"type": "object", "additionalProperties": false, "properties": {
            "a": {"type": "int"}, "b": {"type": "array", "items": {"type": "string"}, "default": [1]}}}),
        &[
            "A009 /properties/a/type unknown type `int` of `a`: expected string, integer, number, boolean, array, object, null",
            "A012 /properties/b/default/0 default of `b` does not fit: expected a string, found a number",
        ],
    );
}

#[test]
fn older_drafts_are_a_warning_and_strange_ones_an_error() {
    for (dialect, severity, message) in [
        (
            "http://json-schema.org/draft-07/schema#",
            Severity::Warning,
            "`parameters` declares JSON Schema draft-07, but is compiled as 2020-12",
        ),
        (
            "https://json-schema.org/draft/2019-09/schema",
            Severity::Warning,
            "`parameters` declares JSON Schema 2019-09, but is compiled as 2020-12",
        ),
        (
            "https://example.com/dialect",
            Severity::Error,
            "`parameters` declares the dialect `https://example.com/dialect`: expected JSON Schema 2020-12",
        ),
    ] {
        let schema = json!({"$schema": dialect, "type": "object", "additionalProperties": false});
        let (found, compiled) = findings(&json!({"parameters": schema}), "/parameters");
        assert_eq!(lines(&found, "/parameters"), [format!("A013 /$schema {message}")]);
        assert_eq!((found[0].severity, compiled), (severity, true));
    }
    check_parameters(
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema#", "type": "object", "additionalProperties": false}),
        &[],
    );
}

#[test]
fn a_part_has_no_dialect_of_its_own() {
    let (found, _) = findings(
        &tool(&json!({"$schema": "http://json-schema.org/draft-07/schema#"})),
        "/parameters",
    );
    assert_eq!(
        lines(&found, "/parameters/properties/p"),
        [
            "A013 /$schema `p` declares JSON Schema draft-07 for a part of the schema: expected one dialect for all of it"
        ]
    );
    assert_eq!(found[0].severity, Severity::Error);
}

#[test]
fn outdated_keywords_are_named_with_their_successors() {
    for (schema, place, message, help) in [
        (
            json!({"definitions": {}}),
            "definitions",
            "`definitions` in `p` is JSON Schema draft-07",
            "rename it to `$defs`, and `#/definitions/...` in references to `#/$defs/...`",
        ),
        (
            json!({"dependencies": {"a": ["b"]}}),
            "dependencies",
            "`dependencies` in `p` is JSON Schema draft-07",
            "rename it to `dependentRequired`",
        ),
        (
            json!({"dependencies": {"a": {}}}),
            "dependencies",
            "`dependencies` in `p` is JSON Schema draft-07",
            "rename it to `dependentSchemas`",
        ),
        (
            json!({"items": [{}]}),
            "items",
            "a list as `items` in `p` is JSON Schema 2019-09",
            "rename it to `prefixItems`; an `additionalItems` beside it becomes `items`",
        ),
        (
            json!({"additionalItems": false}),
            "additionalItems",
            "`additionalItems` in `p` is JSON Schema 2019-09",
            "rename it to `items`, and the list beside it to `prefixItems`",
        ),
        (
            json!({"$recursiveRef": "#"}),
            "$recursiveRef",
            "`$recursiveRef` in `p` is JSON Schema 2019-09",
            "write `\"$dynamicRef\": \"#node\"`",
        ),
        (
            json!({"id": "http://x/y"}),
            "id",
            "`id` in `p` is JSON Schema draft-04",
            "write `\"$id\": \"http://x/y\"`, or remove it",
        ),
        (
            json!({"$id": "#name"}),
            "$id",
            "a name as `$id` in `p` is JSON Schema draft-07",
            "write `\"$anchor\": \"name\"`",
        ),
        (
            json!({"minimum": 3, "exclusiveMinimum": true}),
            "exclusiveMinimum",
            "true or false as `exclusiveMinimum` in `p` is JSON Schema draft-04",
            "write `\"exclusiveMinimum\": 3` and remove `minimum`",
        ),
        (
            json!({"exclusiveMaximum": false}),
            "exclusiveMaximum",
            "true or false as `exclusiveMaximum` in `p` is JSON Schema draft-04",
            "remove `exclusiveMaximum`",
        ),
    ] {
        check_parameter(
            schema.clone(),
            &[&format!("A014 /{place} {message}; 2020-12 does not have it")],
        );
        check_help(schema, help);
    }
}

#[test]
fn outdated_keywords_are_looked_into() {
    check_parameter(
        json!({"definitions": {"a": {"type": "int"}}}),
        &[
            "A009 /definitions/a/type unknown type `int` of `p.a`: expected string, integer, number, boolean, array, object, null",
            "A014 /definitions `definitions` in `p` is JSON Schema draft-07; 2020-12 does not have it",
        ],
    );
}

#[test]
fn keywords_of_other_formats_are_translated() {
    for (schema, name, help) in [
        (
            json!({"type": "string", "nullable": true}),
            "nullable",
            "write `\"type\": [\"string\", \"null\"]`",
        ),
        (
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            "nullable",
            "write `\"type\": [\"string\", \"null\"]`, and add null to `enum`",
        ),
        (json!({"nullable": false}), "nullable", "remove it"),
        (json!({"example": "Ada"}), "example", "write `\"examples\": [\"Ada\"]`"),
        (
            json!({"discriminator": {}}),
            "discriminator",
            "remove it, and give each form a property with a `const` that tells it apart",
        ),
        (json!({"xml": {}}), "xml", "remove it: arguments are JSON"),
        (
            json!({"externalDocs": {}}),
            "externalDocs",
            "remove it, or put the address in `description`",
        ),
        (
            json!({"optional": true}),
            "optional",
            "remove it: a property is optional unless `required` of its object names it",
        ),
        (json!({"any_of": []}), "any_of", "write `anyOf`"),
    ] {
        check_parameter(
            schema.clone(),
            &[&format!("A015 /{name} `{name}` in `p` is not a keyword of JSON Schema")],
        );
        check_help(schema, help);
    }
    check_parameter(
        json!({"type": "string", "nullable": true, "default": null}),
        &["A015 /nullable `nullable` in `p` is not a keyword of JSON Schema"],
    );
}

#[test]
fn allowed_values_fit_what_stands_beside_them() {
    check_parameter(
        json!({"type": "string", "enum": ["a", null], "minLength": 1}),
        &["A016 /enum/1 `enum` value null of `p` does not fit its `type` \"string\""],
    );
    check_parameter(
        json!({"type": "integer", "enum": ["1", "2"]}),
        &["A016 /enum none of the `enum` values of `p` fits its `type` \"integer\""],
    );
    check_parameter(
        json!({"enum": [1, 20], "maximum": 10}),
        &["A016 /enum/1 `enum` value 20 of `p` does not fit its `maximum` 10"],
    );
    check_parameter(
        json!({"type": "string", "const": 1}),
        &["A016 /const `const` 1 of `p` does not fit its `type` \"string\""],
    );
    check_parameter(
        json!({"enum": ["a"], "const": "b"}),
        &["A016 /const `const` \"b\" of `p` does not fit its `enum` [\"a\"]"],
    );
    check_parameter(json!({"type": "integer", "enum": [1, 2.0], "const": 2}), &[]);
    check_parameter(json!({"type": ["string", "null"], "enum": ["a", null]}), &[]);
}

#[test]
fn schemas_that_nothing_fits_are_reported_where_something_must() {
    check_parameter(
        json!({"type": []}),
        &["A017 /type `type` of `p` is an empty list, which no value fits"],
    );
    for never in [
        json!(false),
        json!({"not": {}}),
        json!({"allOf": [false]}),
        json!({"anyOf": [false, false]}),
    ] {
        check_parameter(
            json!({"type": "object", "properties": {"a": never}, "required": ["a"]}),
            &["A017 /properties/a `a` of `p` is required, but no value fits it"],
        );
        check_parameter(json!({"type": "object", "properties": {"a": never}}), &[]);
    }
    check_parameter(
        json!({"type": "string", "allOf": [{"type": "integer"}]}),
        &["A017 /allOf no value fits `p`: its `allOf` asks for other types than the rest of it"],
    );
    check_parameter(
        json!({"type": "string", "anyOf": [{"type": "integer"}, {"type": "null"}]}),
        &["A017 /anyOf no value fits `p`: its `anyOf` asks for other types than the rest of it"],
    );
    check_parameter(json!({"type": "number", "allOf": [{"type": "integer"}]}), &[]);
    check_parameter(
        json!({"type": ["string", "null"], "anyOf": [{"type": "null"}, {"minLength": 1}]}),
        &[],
    );
}

#[test]
fn parameters_are_a_closed_object() {
    check_parameters(json!({"type": "object", "additionalProperties": false}), &[]);
    check_parameters(
        json!({}),
        &[
            "A018  `parameters` have no type: expected \"object\"",
            "A019  `parameters` allow arguments that they do not declare",
        ],
    );
    check_parameters(
        json!({"type": ["object", "null"], "additionalProperties": {}}),
        &[
            "A018 /type type of `parameters`: expected \"object\", found [\"object\",\"null\"]",
            "A019 /additionalProperties `additionalProperties` of `parameters`: expected false, found an object",
        ],
    );
    check_parameters(
        json!(true),
        &["A018  `parameters`: expected a schema of type object, found true"],
    );
    check_parameters(
        json!([]),
        &["A018  `parameters`: expected a schema of type object, found an empty array"],
    );
    check_parameter(json!({"type": "object", "properties": {"a": {}}}), &[]);
}

#[test]
fn formats_are_those_of_the_specification() {
    for (format, help) in [
        ("datetime", "did you mean `date-time`?"),
        ("Date", "did you mean `date`?"),
        ("int32", "write `minimum` and `maximum` instead"),
        ("hostnam", "did you mean `hostname`?"),
        ("zebra-stripes", "describe the form with `pattern`, or remove it"),
    ] {
        let schema = json!({"format": format});
        check_parameter(
            schema.clone(),
            &[&format!("A021 /format unknown format `{format}` of `p`: nothing will be checked")],
        );
        check_help(schema, help);
    }
    let (found, compiled) = findings(&tool(&json!({"format": "datetime"})), "/parameters");
    assert_eq!((found[0].severity, compiled), (Severity::Warning, true));
    check_parameter(json!({"type": "string", "format": "uuid"}), &[]);
}
