//! `aileron describe`: one tool for a person, or its declaration for a provider.

use aileron_compiler::declare::{Form, declare};
use aileron_contract::{Artifact, ArtifactTool, Provider};
use serde_json::Value;

use crate::args::{DataFormat, DescribeArgs};
use crate::commands::findings::pretty;
use crate::output::{self, Failure, Outcome};
use crate::toolset;

pub(crate) fn run(args: &DescribeArgs) -> Result<Outcome, Failure> {
    let artifact = toolset::from_args(&args.source)?;
    let tool = artifact.tool(&args.tool).ok_or_else(|| unknown(&args.tool, &artifact))?;
    let text = match (args.provider, args.format) {
        (Some(provider), _) => pretty(&declaration(tool, provider, args.strict)?),
        (None, DataFormat::Json) => pretty(&serde_json::to_value(tool).unwrap_or_default()),
        (None, DataFormat::Text) => page(tool),
    };
    output::data(&text);
    Ok(Outcome::Fine)
}

fn unknown(name: &str, artifact: &Artifact) -> Failure {
    let known: Vec<_> = artifact.tools.iter().map(ArtifactTool::id).collect();
    Failure::Usage(format!("there is no tool {name:?}; there are {}", known.join(", ")))
}

/// The declaration as it stands in the artifact, or made anew in strict form.
fn declaration(tool: &ArtifactTool, provider: Provider, strict: bool) -> Result<Value, Failure> {
    let made = if strict {
        let spec = serde_json::to_value(&tool.spec.0).unwrap_or_default();
        declare(&spec, provider, Form::Strict).map(|declaration| declaration.value)
    } else {
        tool.provider_schemas.get(&provider).cloned()
    };
    made.ok_or_else(|| {
        Failure::Failed(format!("`{}` has no declaration for {provider}", tool.id()))
    })
}

fn page(tool: &ArtifactTool) -> String {
    let spec = &tool.spec.0;
    let modes: Vec<_> = spec.allowed_modes.iter().map(aileron_contract::Mode::as_str).collect();
    let mut lines = vec![
        format!("{} {}", spec.tool_id, spec.version),
        spec.description.clone(),
        String::new(),
        format!("category       {}", spec.category.as_str()),
        format!("side effects   {}", spec.side_effects.as_str()),
        format!("idempotent     {}", spec.idempotent),
        format!("confirmation   {}", spec.requires_confirmation),
        format!("modes          {}", modes.join(", ")),
        format!("latency budget {} ms, deadline {} ms", spec.latency_budget_ms, spec.timeout_ms()),
        format!(
            "capabilities   {}",
            if spec.capabilities.is_empty() {
                "none".to_owned()
            } else {
                spec.capabilities.join(", ")
            }
        ),
        format!("hash           {}", tool.hash),
        String::new(),
        "What each model is told costs, in estimated tokens:".to_owned(),
    ];
    lines.extend(tool.provider_schemas.iter().map(|(provider, schema)| {
        format!("  {:<18} {}", provider.as_str(), schema.to_string().chars().count().div_ceil(4))
    }));
    lines.push(String::new());
    lines.push(tool.documentation.trim_end().to_owned());
    lines.join("\n")
}
