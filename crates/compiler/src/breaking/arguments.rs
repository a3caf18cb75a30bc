//! The promises of `parameters` and `returns`: the arguments that callers may send, and the
//! results.

pub(super) mod bounds_no_tighten;
pub(super) mod enum_value_no_delete;
pub(super) mod format_no_tighten;
pub(super) mod items_no_close;
pub(super) mod param_no_close;
pub(super) mod param_no_delete;
pub(super) mod param_no_new_required;
pub(super) mod param_same_default;
pub(super) mod param_same_type;
pub(super) mod pattern_no_change;
pub(super) mod returns_no_narrow;
pub(super) mod schema_no_unjudged_change;
pub(super) mod union_no_narrow;

use super::schema::pair::{Pair, SchemaChange};

/// The rules that check one pair of values, if their types agree.
pub(super) const CHECKS: &[fn(&Pair<'_, '_>, &mut Vec<SchemaChange>)] = &[
    enum_value_no_delete::check,
    bounds_no_tighten::check,
    pattern_no_change::check,
    format_no_tighten::check,
    param_no_delete::check,
    param_no_new_required::check,
    param_no_close::check,
    items_no_close::check,
    schema_no_unjudged_change::check,
];
