//! Compares a registry with a previous one: which promises were broken, and
//! whether each tool's version says so.
//!
//! A promise is a rule that needs a step of the version. For versions before
//! 1.0.0 a minor raise counts as major and a patch as minor; from a
//! pre-release any raise is enough.

mod arguments;
mod comparison;
mod diagnose;
mod policy;
mod promise;
mod schema;
mod step;
mod version;

use aileron_contract::{Artifact, ArtifactTool, ToolSpec};

pub use comparison::{AddedTool, Break, Comparison};
pub use diagnose::diagnose;
use promise::PromiseBreach;
pub use step::{RequiredVersion, VersionStep};

use crate::rule::Rule;

/// Every breaking-change rule.
pub const RULES: &[&Rule] = &[
    &arguments::param_no_delete::PARAM_NO_DELETE,
    &arguments::param_same_type::PARAM_SAME_TYPE,
    &arguments::param_no_new_required::PARAM_NO_NEW_REQUIRED,
    &arguments::param_no_close::PARAM_NO_CLOSE,
    &arguments::param_same_default::PARAM_SAME_DEFAULT,
    &arguments::enum_value_no_delete::ENUM_VALUE_NO_DELETE,
    &arguments::bounds_no_tighten::BOUNDS_NO_TIGHTEN,
    &arguments::pattern_no_change::PATTERN_NO_CHANGE,
    &arguments::format_no_tighten::FORMAT_NO_TIGHTEN,
    &arguments::items_no_close::ITEMS_NO_CLOSE,
    &arguments::union_no_narrow::UNION_NO_NARROW,
    &arguments::schema_no_unjudged_change::SCHEMA_NO_UNJUDGED_CHANGE,
    &arguments::returns_no_narrow::RETURNS_NO_NARROW,
    &policy::mode_no_remove::MODE_NO_REMOVE,
    &policy::confirmation_no_drop::CONFIRMATION_NO_DROP,
    &policy::confirmation_no_add::CONFIRMATION_NO_ADD,
    &policy::preview_no_hide::PREVIEW_NO_HIDE,
    &policy::side_effects_no_escalate::SIDE_EFFECTS_NO_ESCALATE,
    &policy::side_effects_no_understate::SIDE_EFFECTS_NO_UNDERSTATE,
    &policy::capability_no_widen::CAPABILITY_NO_WIDEN,
    &policy::runtime_no_widen::RUNTIME_NO_WIDEN,
    &policy::execution_same::EXECUTION_SAME,
    &policy::idempotent_no_drop::IDEMPOTENT_NO_DROP,
    &policy::permission_no_tighten::PERMISSION_NO_TIGHTEN,
    &policy::permission_no_loosen::PERMISSION_NO_LOOSEN,
    &policy::availability_same::AVAILABILITY_SAME,
    &policy::rate_limit_no_drop::RATE_LIMIT_NO_DROP,
    &policy::rate_limit_no_tighten::RATE_LIMIT_NO_TIGHTEN,
    &policy::mode_limit_no_tighten::MODE_LIMIT_NO_TIGHTEN,
    &policy::redact_no_drop::REDACT_NO_DROP,
    &policy::timeout_no_shorten::TIMEOUT_NO_SHORTEN,
    &policy::result_limit_no_lower::RESULT_LIMIT_NO_LOWER,
    &policy::on_interrupt_same::ON_INTERRUPT_SAME,
    &policy::category_same::CATEGORY_SAME,
    &version::tool_no_delete::TOOL_NO_DELETE,
    &version::version_no_lower::VERSION_NO_LOWER,
    &version::version_raised_on_change::VERSION_RAISED_ON_CHANGE,
    &version::addition_needs_minor::ADDITION_NEEDS_MINOR,
];

/// Compares a registry with a previous one.
pub fn compare(previous: &Artifact, current: &Artifact) -> Comparison {
    let mut changes = Vec::new();
    for tool in &previous.tools {
        let now = current.tool(tool.id());
        let findings = match now {
            Some(now) => compare_tools(tool, now),
            None => vec![version::tool_no_delete::deleted(tool)],
        };
        changes.extend(findings.into_iter().map(|finding| assess(finding, tool, now)));
    }
    let added = current.tools.iter().filter(|tool| previous.tool(tool.id()).is_none());
    Comparison { changes, added: added.map(AddedTool::of).collect() }
}

fn compare_tools(previous: &ArtifactTool, current: &ArtifactTool) -> Vec<PromiseBreach> {
    if previous == current {
        return Vec::new();
    }
    let mut found = compare_specs(&previous.spec.0, &current.spec.0);
    if found.is_empty() {
        found.extend(version::version_raised_on_change::check(previous, current));
    }
    found
}

fn compare_specs(previous: &ToolSpec, current: &ToolSpec) -> Vec<PromiseBreach> {
    let mut found = schema::arguments(&previous.parameters, &current.parameters);
    arguments::returns_no_narrow::check(previous, current, &mut found);
    policy::check(previous, current, &mut found);
    version::addition_needs_minor::check(previous, current, &mut found);
    version::version_no_lower::check(previous, current, &mut found);
    found
}

fn assess(
    finding: PromiseBreach,
    previous: &ArtifactTool,
    current: Option<&ArtifactTool>,
) -> Break {
    Break {
        rule: finding.promise.rule,
        tool: previous.id().to_owned(),
        pointer: finding.pointer,
        message: finding.message,
        needs: finding.promise.needs,
        previous: previous.spec.0.version.clone(),
        current: current.map(|tool| tool.spec.0.version.clone()),
    }
}
