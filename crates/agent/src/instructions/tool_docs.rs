//! `# Available Tools`: the documentation of the tools that the model may call.

use std::sync::Arc;

use aileron_contract::tokens;
use aileron_runtime::Tool;

use super::{DESCRIBE_TOOL, InstructionOptions, ToolDocs};

/// The text, and the tools that it describes.
pub(super) struct ToolDocsSection {
    pub(super) text: String,
    pub(super) tools: Vec<Arc<Tool>>,
}

const NONE: &str = "There are none in this conversation.";
const READ_FIRST: &str =
    "These are summaries. Before the first use of a tool, read its guide with describe_tool.";
const SUMMARIES: &str = "These are summaries; each tool's declaration has its parameters.";

pub(super) fn tell(
    options: &InstructionOptions,
    version: &str,
    offered: &[Arc<Tool>],
) -> ToolDocsSection {
    let is_reader = |tool: &&Arc<Tool>| tool.spec().tool_id.as_str() == DESCRIBE_TOOL;
    let others: Vec<_> = offered.iter().filter(|tool| !is_reader(tool)).cloned().collect();
    let guides: Vec<_> = others.iter().map(|tool| guide(tool)).collect();
    let guides = guides.join("\n\n");
    if others.is_empty() {
        return ToolDocsSection { text: headed(version, NONE, ""), tools: others };
    }
    let is_full = match options.tools {
        ToolDocs::Full => true,
        ToolDocs::Summary => false,
        ToolDocs::Auto => tokens::of(&guides) <= options.budget_tokens,
    };
    if is_full {
        return ToolDocsSection { text: headed(version, &guides, ""), tools: others };
    }
    let can_read = offered.iter().any(|tool| is_reader(&tool));
    let lines: Vec<_> = offered.iter().map(|tool| summary(tool)).collect();
    let note = if can_read { READ_FIRST } else { SUMMARIES };
    ToolDocsSection { text: headed(version, note, &lines.join("\n")), tools: offered.to_vec() }
}

fn headed(version: &str, first: &str, then: &str) -> String {
    let text = format!("# Available Tools (v{version})\n\n{first}\n\n{then}");
    text.trim_end().to_owned()
}

/// A guide with its headings one level lower, so that they are below the heading of the list.
fn guide(tool: &Tool) -> String {
    let mut fenced = false;
    let lower = |line: &str| {
        fenced ^= line.trim_start().starts_with("```");
        match !fenced && line.starts_with('#') {
            true => format!("#{line}"),
            false => line.to_owned(),
        }
    };
    let documentation = tool.artifact().documentation.trim();
    documentation.lines().map(lower).collect::<Vec<_>>().join("\n")
}

fn summary(tool: &Tool) -> String {
    let (spec, summary) = (tool.spec(), tool.artifact().summary.trim());
    let summary = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("- **{}** ({}): {summary}", spec.tool_id, spec.category.as_str())
}
