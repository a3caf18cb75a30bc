//! A registry with the precomputed facts that the policies need of each tool.

use std::fmt;
use std::sync::Arc;

use aileron_contract::ToolSpec;
use aileron_runtime::{Registry, Tool};
use aileron_store::ToolStamp;

use crate::expression::Expression;
use crate::preview::Preview;

/// A registry that calls can be made on.
#[derive(Debug)]
pub struct Toolset {
    registry: Arc<Registry>,
    entries: Vec<Arc<ToolEntry>>,
}

/// One tool and its rules.
#[derive(Debug)]
pub(crate) struct ToolEntry {
    pub(crate) tool: Arc<Tool>,
    pub(crate) stamp: Arc<ToolStamp>,
    pub(crate) version: String,
    pub(crate) available: Option<Expression>,
    pub(crate) confirm_when: Option<Expression>,
    pub(crate) preview: Option<Preview>,
    /// Whether the handler may call other tools.
    pub(crate) calls_tools: bool,
}

impl ToolEntry {
    pub(crate) fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    /// Whether the tool hides any values. Text of its handler may quote them, so it is not logged.
    pub(crate) fn hides(&self) -> bool {
        !self.spec().redact.is_empty()
    }
}

/// A condition of a tool that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionError {
    pub tool: String,
    pub field: &'static str,
    pub why: String,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool `{}`: `{}` is no condition: {}", self.tool, self.field, self.why)
    }
}

impl std::error::Error for ConditionError {}

impl Toolset {
    /// Parses the conditions of every tool of a registry.
    pub fn new(registry: Arc<Registry>) -> Result<Self, ConditionError> {
        let entries = registry.tools().iter().map(|tool| entry(tool).map(Arc::new));
        let entries = entries.collect::<Result<_, _>>()?;
        Ok(Self { registry, entries })
    }

    /// The registry itself.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    pub(crate) fn entry(&self, tool: &str) -> Option<&Arc<ToolEntry>> {
        self.entries.get(self.registry.position(tool)?)
    }
}

fn entry(tool: &Arc<Tool>) -> Result<ToolEntry, ConditionError> {
    let spec = tool.spec();
    let version = spec.version.to_string();
    let available = spec.availability.as_ref().map(|it| it.condition.as_str());
    let confirm = spec.confirmation.as_ref().and_then(|it| it.when.as_deref());
    let preview = spec.confirmation.as_ref().and_then(|it| it.preview.as_deref());
    Ok(ToolEntry {
        available: parsed(spec, "availability.condition", available)?,
        confirm_when: parsed(spec, "confirmation.when", confirm)?,
        preview: preview.map(Preview::parse),
        calls_tools: spec.capabilities.iter().any(|name| name == "tools"),
        stamp: Arc::new(ToolStamp {
            id: spec.tool_id.to_string(),
            version: Some(version.clone()),
            category: Some(spec.category),
            side_effects: spec.side_effects,
            redact: spec.redact.clone(),
        }),
        tool: tool.clone(),
        version,
    })
}

fn parsed(
    spec: &ToolSpec,
    field: &'static str,
    text: Option<&str>,
) -> Result<Option<Expression>, ConditionError> {
    let fault = |why: String| ConditionError { tool: spec.tool_id.to_string(), field, why };
    text.map(|text| Expression::parse(text).map_err(|error| fault(error.to_string()))).transpose()
}
