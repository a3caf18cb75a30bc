//! The JSON Schema of the arguments: `AIL-A`.

pub(crate) mod bad_default;
pub(crate) mod bad_keyword_value;
pub(crate) mod bad_pattern;
pub(crate) mod endless_ref;
pub(crate) mod enum_value_mismatch;
pub(crate) mod impossible_bounds;
pub(crate) mod keyword_does_not_apply;
pub(crate) mod never_valid;
pub(crate) mod not_a_schema;
pub(crate) mod open_parameters;
pub(crate) mod openapi_keyword;
pub(crate) mod other_dialect;
pub(crate) mod outdated_keyword;
pub(crate) mod remote_ref;
pub(crate) mod root_not_object;
pub(crate) mod slow_pattern;
pub(crate) mod undefined_required;
pub(crate) mod unknown_format;
pub(crate) mod unknown_keyword;
pub(crate) mod unknown_type;
pub(crate) mod unresolved_ref;

use crate::rule::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &unknown_keyword::UNKNOWN_KEYWORD,
    &bad_keyword_value::BAD_KEYWORD_VALUE,
    &keyword_does_not_apply::KEYWORD_DOES_NOT_APPLY,
    &unresolved_ref::UNRESOLVED_REF,
    &remote_ref::REMOTE_REF,
    &endless_ref::ENDLESS_REF,
    &bad_pattern::BAD_PATTERN,
    &slow_pattern::SLOW_PATTERN,
    &unknown_type::UNKNOWN_TYPE,
    &impossible_bounds::IMPOSSIBLE_BOUNDS,
    &undefined_required::UNDEFINED_REQUIRED,
    &bad_default::BAD_DEFAULT,
    &other_dialect::OTHER_DIALECT,
    &outdated_keyword::OUTDATED_KEYWORD,
    &openapi_keyword::OPENAPI_KEYWORD,
    &enum_value_mismatch::ENUM_VALUE_MISMATCH,
    &never_valid::NEVER_VALID,
    &root_not_object::ROOT_NOT_OBJECT,
    &open_parameters::OPEN_PARAMETERS,
    &not_a_schema::NOT_A_SCHEMA,
    &unknown_format::UNKNOWN_FORMAT,
];
