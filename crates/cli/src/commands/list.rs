//! `aileron list`: the tools and how they may be used.

use std::path::Path;

use aileron_contract::{Artifact, ArtifactTool};
use serde_json::{Value, json};

use crate::args::{DataFormat, ListArgs};
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure};
use crate::settings::Settings;
use crate::table::{Align, Cell, Table};
use crate::toolset::{self, ToolsetSource};

const COLUMNS: [(&str, Align); 7] = [
    ("TOOL", Align::Left),
    ("VERSION", Align::Left),
    ("CATEGORY", Align::Left),
    ("EFFECTS", Align::Left),
    ("MODES", Align::Left),
    ("ASKS", Align::Left),
    ("RUNTIME", Align::Left),
];

pub(crate) fn run(args: &ListArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let artifact = ToolsetSource::of(&args.source, &settings).artifact()?;
    let allowed = |tool: &&ArtifactTool| {
        args.mode.is_none_or(|mode| tool.spec.0.allowed_modes.contains(mode))
    };
    let tools: Vec<_> = artifact.tools.iter().filter(allowed).collect();
    match args.format {
        DataFormat::Text => {
            let rows: Vec<_> = tools.iter().map(|tool| row(tool)).collect();
            output::data(&Table::new(COLUMNS).whole(&rows))?;
            output::talk_all(toolset::left_out_lines(&artifact.left_out));
        }
        DataFormat::Json => output::data(&pretty(&as_json(&artifact, &tools)))?,
    }
    Ok(ExitOutcome::Fine)
}

fn row(tool: &ArtifactTool) -> [Cell; 7] {
    let spec = &tool.spec.0;
    let modes: Vec<_> = spec.allowed_modes.iter().map(aileron_contract::Mode::as_str).collect();
    [
        tool.id().to_owned(),
        spec.version.to_string(),
        spec.category.as_str().to_owned(),
        spec.side_effects.as_str().to_owned(),
        modes.join(","),
        asks(tool).to_owned(),
        runtime(tool),
    ]
    .map(Cell::from)
}

/// Where the handler runs, and whether it is trusted code.
pub(crate) fn runtime(tool: &ArtifactTool) -> String {
    let trusted = if tool.handler.is_trusted() { ", trusted code" } else { "" };
    format!("{}{trusted}", tool.handler.runtime())
}

/// When a confirmation is needed.
fn asks(tool: &ArtifactTool) -> &'static str {
    let spec = &tool.spec.0;
    let when = spec.confirmation.as_ref().and_then(|confirmation| confirmation.when.as_deref());
    match (spec.requires_confirmation, when) {
        (true, _) => "always",
        (false, None | Some("false")) => "never",
        (false, Some(_)) => "sometimes",
    }
}

fn as_json(artifact: &Artifact, tools: &[&ArtifactTool]) -> Value {
    let tool = |tool: &&ArtifactTool| {
        let spec = &tool.spec.0;
        json!({
            "toolId": spec.tool_id, "version": spec.version, "hash": tool.hash, "summary": tool.summary,
            "category": spec.category, "sideEffects": spec.side_effects, "idempotent": spec.idempotent,
            "allowedModes": spec.allowed_modes, "latencyBudgetMs": spec.latency_budget_ms, "asks": asks(tool),
            "execution": spec.execution(), "runtime": tool.handler.runtime(), "trusted": tool.handler.is_trusted(),
        })
    };
    let tools: Vec<_> = tools.iter().map(tool).collect();
    json!({ "version": artifact.version, "tools": tools, "leftOut": artifact.left_out })
}
