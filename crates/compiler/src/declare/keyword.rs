//! The form of each JSON Schema keyword's value, for all targets.

use serde_json::Value;

use super::types::{self, Type};

/// Where a keyword's value contains schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubschemaKind {
    Leaf,
    Schema,
    List,
    Map,
}

/// Where a keyword contains schemas.
pub(super) fn shape(keyword: &str) -> SubschemaKind {
    match keyword {
        "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => SubschemaKind::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => SubschemaKind::List,
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            SubschemaKind::Map
        }
        _ => SubschemaKind::Leaf,
    }
}

/// Whether the value is valid for the keyword.
pub(super) fn fits(keyword: &str, value: &Value) -> bool {
    match shape(keyword) {
        SubschemaKind::Schema => value.is_object() || value.is_boolean(),
        SubschemaKind::List => value.as_array().is_some_and(|list| !list.is_empty()),
        SubschemaKind::Map => value.is_object(),
        SubschemaKind::Leaf => leaf_fits(keyword, value),
    }
}

fn leaf_fits(keyword: &str, value: &Value) -> bool {
    match keyword {
        "title" | "description" | "pattern" | "format" | "$ref" | "$id" | "$anchor" => {
            value.is_string()
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            value.is_number()
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0)
        }
        "nullable" | "uniqueItems" => value.is_boolean(),
        "required" | "propertyOrdering" => {
            value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
        }
        "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
        "type" => types::parse(value).is_some(),
        _ => true,
    }
}

/// The one type whose values the keyword constrains: the number, for integers too.
pub(super) fn constrains(keyword: &str) -> Option<Type> {
    match keyword {
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType"
        | "contentSchema" => Some(Type::String),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Some(Type::Number)
        }
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains"
        | "minContains" | "maxContains" | "minItems" | "maxItems" | "uniqueItems" => {
            Some(Type::Array)
        }
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties"
        | "propertyOrdering" => Some(Type::Object),
        _ => None,
    }
}

/// Whether the keyword is an annotation.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "example"
            | "examples"
            | "deprecated"
            | "nullable"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "$schema"
            | "$id"
            | "$anchor"
            | "$defs"
            | "definitions"
    )
}
