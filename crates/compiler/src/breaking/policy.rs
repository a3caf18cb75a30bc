//! How a tool may be used, and what it may do: the promises of the other
//! fields of `schema.json`.

pub(super) mod availability_same;
pub(super) mod capability_no_widen;
pub(super) mod category_same;
pub(super) mod confirmation_no_add;
pub(super) mod confirmation_no_drop;
pub(super) mod execution_same;
pub(super) mod idempotent_no_drop;
pub(super) mod mode_limit_no_tighten;
pub(super) mod mode_no_remove;
pub(super) mod on_interrupt_same;
pub(super) mod permission_no_loosen;
pub(super) mod permission_no_tighten;
pub(super) mod preview_no_hide;
pub(super) mod rate_limit_no_drop;
pub(super) mod rate_limit_no_tighten;
pub(super) mod redact_no_drop;
pub(super) mod result_limit_no_lower;
pub(super) mod runtime_no_widen;
pub(super) mod side_effects_no_escalate;
pub(super) mod side_effects_no_understate;
pub(super) mod timeout_no_shorten;

mod asking;

use aileron_contract::ToolSpec;

use super::promise::PromiseBreach;

/// Checks the previous and the current contract of one tool.
type Check = fn(&ToolSpec, &ToolSpec, &mut Vec<PromiseBreach>);

const CHECKS: &[Check] = &[
    mode_no_remove::check,
    confirmation_no_drop::check,
    confirmation_no_add::check,
    preview_no_hide::check,
    side_effects_no_escalate::check,
    side_effects_no_understate::check,
    capability_no_widen::check,
    runtime_no_widen::check,
    execution_same::check,
    idempotent_no_drop::check,
    permission_no_tighten::check,
    permission_no_loosen::check,
    availability_same::check,
    rate_limit_no_drop::check,
    rate_limit_no_tighten::check,
    mode_limit_no_tighten::check,
    redact_no_drop::check,
    timeout_no_shorten::check,
    result_limit_no_lower::check,
    on_interrupt_same::check,
    category_same::check,
];

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    for check in CHECKS {
        check(previous, current, found);
    }
}
