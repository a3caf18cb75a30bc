//! `aileron describe`: one tool for a person, its declaration for a provider, or the instructions.

mod prompt;

use std::path::Path;

use aileron_compiler::declare::{LossKind, OpenAiForm, declare};
use aileron_compiler::suggest;
use aileron_contract::spec::Execution;
use aileron_contract::{Artifact, ArtifactTool, Handler, Provider, tokens};
use serde_json::Value;

use crate::args::{DataFormat, DescribeArgs};
use crate::commands::findings::pretty;
use crate::commands::list;
use crate::output::{self, ExitOutcome, Failure};
use crate::settings::Settings;
use crate::toolset::ToolsetSource;

/// Maximum number of tools in the message.
const NAMED: usize = 5;

const NOTHING: &str = "name a tool, or the instructions with --prompt text or --prompt voice";

pub(crate) fn run(args: &DescribeArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    if let Some(mode) = args.prompt {
        return prompt::run(args, mode, config);
    }
    if args.strict && args.provider != Some(Provider::Openai) {
        return Err(Failure::Usage("--strict is a form of --provider openai alone".to_owned()));
    }
    let settings = Settings::load(config)?;
    let artifact = ToolsetSource::of(&args.source, &settings).artifact()?;
    let named = args.tool.as_deref().ok_or_else(|| Failure::Usage(NOTHING.to_owned()))?;
    let id = named.replace('-', "_");
    let tool = artifact.tool(&id).ok_or_else(|| unknown(&id, &artifact))?;
    match (args.provider, args.format) {
        (Some(_), _) if args.strict => return strict(tool),
        (Some(provider), _) => {
            output::data(&pretty(&tool.declaration(provider).unwrap_or_default()))?;
        }
        (None, DataFormat::Json) => {
            output::data(&pretty(&as_json(tool)))?;
        }
        (None, DataFormat::Text) => output::data(&page(tool))?,
    }
    Ok(ExitOutcome::Fine)
}

fn unknown(name: &str, artifact: &Artifact) -> Failure {
    let closest = suggest::closest(name, artifact.tools.iter().map(ArtifactTool::id));
    let named: Vec<_> = artifact.tools.iter().map(ArtifactTool::id).take(NAMED).collect();
    Failure::Usage(match closest {
        Some(closest) => format!("there is no tool {name:?}; did you mean {closest}?"),
        None => format!(
            "there is no tool {name:?}; `aileron list` shows all, such as {}",
            named.join(", ")
        ),
    })
}

/// Prints the strict form; keywords that it cannot express are reported, and refused ones are
/// findings.
fn strict(tool: &ArtifactTool) -> Result<ExitOutcome, Failure> {
    let spec = serde_json::to_value(&tool.spec.0).unwrap_or_default();
    let declaration = declare(&spec, Provider::Openai, OpenAiForm::Strict)
        .ok_or_else(|| Failure::Failed(format!("`{}` cannot be declared", tool.id())))?;
    declaration.losses.iter().for_each(|loss| output::talk(&loss.message));
    output::data(&pretty(&declaration.value))?;
    let refused = declaration.losses.iter().any(|loss| loss.kind == LossKind::Refused);
    Ok(if refused { ExitOutcome::Findings } else { ExitOutcome::Fine })
}

/// The tool's entry of the artifact, with its runtime.
fn as_json(tool: &ArtifactTool) -> Value {
    let mut value = serde_json::to_value(tool).unwrap_or_default();
    value["runtime"] = tool.handler.runtime().into();
    value["trusted"] = tool.handler.is_trusted().into();
    value
}

/// The manifest and the lock file of a handler that runs in a worker.
fn packages(tool: &ArtifactTool) -> Option<String> {
    let (Handler::Node(code) | Handler::Python(code)) = &tool.handler else { return None };
    let packages = code.packages.as_ref()?;
    let (manifest, lock) = (&packages.manifest, &packages.lock);
    Some(format!("{manifest}, locked by {lock} {}", packages.lock_hash.short()))
}

fn execution(execution: Execution) -> &'static str {
    match execution {
        Execution::Foreground => "foreground",
        Execution::Background => "background: a call is answered with the id of a task",
    }
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
        format!("runtime        {}", list::runtime(tool)),
    ];
    lines.extend(packages(tool).map(|packages| format!("packages       {packages}")));
    lines.extend([
        format!("execution      {}", execution(spec.execution())),
        format!("hash           {}", tool.hash),
        String::new(),
        "Estimated tokens of the declaration:".to_owned(),
    ]);
    lines.extend(tool.provider_schemas.iter().map(|(provider, schema)| {
        format!("  {:<18} {}", provider.as_str(), tokens::of(&schema.value().to_string()))
    }));
    lines.push(String::new());
    lines.push(tool.documentation.trim_end().to_owned());
    lines.join("\n")
}
