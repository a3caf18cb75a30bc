//! `aileron registries`: the registries of the settings, and which one a new conversation gets.

use std::path::Path;

use aileron_contract::ConversationId;
use aileron_orchestrator::assignment::{DEFAULT, Explanation, RuleCheck};
use aileron_orchestrator::{Assignment, NewConversation, Person};
use serde_json::{Value, json};

use crate::args::{
    DataFormat, RegistriesArgs, RegistriesCommand, RegistriesExplainArgs, RegistriesListArgs,
};
use crate::commands::findings::pretty;
use crate::installation;
use crate::output::{self, ExitOutcome, Failure};
use crate::settings::{Settings, registry_faults};
use crate::table::{Align, Cell, Table};
use crate::toolset::{FailedTools, ToolsetSource};

const COLUMNS: [(&str, Align); 4] = [
    ("NAME", Align::Left),
    ("VERSION", Align::Left),
    ("TOOLS", Align::Right),
    ("FROM", Align::Left),
];

const NO_RULES: &str = "There is no rule: every conversation has the default registry.";

pub(crate) fn run(args: &RegistriesArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    match &args.command {
        RegistriesCommand::List(args) => list(args, &settings),
        RegistriesCommand::Explain(args) => explain(args, &settings),
    }
}

/// A registry of the settings.
struct ConfiguredRegistry {
    name: String,
    version: String,
    tools: usize,
    from: String,
}

fn list(args: &RegistriesListArgs, settings: &Settings) -> Result<ExitOutcome, Failure> {
    let rules = rules(settings)?;
    let registries = configured(settings)?;
    match args.format {
        DataFormat::Json => output::data(&pretty(&as_json(&registries, &rules)))?,
        DataFormat::Text => {
            let row = |one: &ConfiguredRegistry| {
                let tools = one.tools.to_string();
                [one.name.clone(), one.version.clone(), tools, one.from.clone()].map(Cell::from)
            };
            let rows: Vec<_> = registries.iter().map(row).collect();
            output::data(&Table::new(COLUMNS).whole(&rows))?;
            output::data(&format!("\n{}", rules_text(&rules)))?;
        }
    }
    Ok(ExitOutcome::Fine)
}

fn configured(settings: &Settings) -> Result<Vec<ConfiguredRegistry>, Failure> {
    let default = (DEFAULT, ToolsetSource::set(settings), shown(&settings.server.tools));
    let default = match settings.server.registry.as_os_str().is_empty() {
        true => default,
        false => (DEFAULT, ToolsetSource::set(settings), shown(&settings.server.registry)),
    };
    let named = settings.server.registries.iter().map(|registry| {
        let source = match registry.path.is_dir() {
            true => {
                let failed = FailedTools::of(false, settings);
                ToolsetSource::Folder(&registry.path, settings.compile_options(), failed)
            }
            false => ToolsetSource::Artifact(&registry.path),
        };
        (registry.name.as_str(), source, shown(&registry.path))
    });
    let read = |(name, source, from): (&str, ToolsetSource<'_>, String)| {
        let artifact = source.artifact()?;
        let (version, tools) = (artifact.version, artifact.tools.len());
        Ok(ConfiguredRegistry { name: name.to_owned(), version, tools, from })
    };
    [default].into_iter().chain(named).map(read).collect()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The rules of the settings, if they are valid.
fn rules(settings: &Settings) -> Result<Assignment, Failure> {
    let server = &settings.server;
    let faults = registry_faults(&server.registries);
    let names = server.registries.iter().map(|registry| registry.name.as_str());
    let rules = match faults.is_empty() {
        true => Assignment::new(server.assignment.clone(), names),
        false => Err(faults),
    };
    rules.map_err(|faults| Failure::Usage(faults.join("\n")))
}

fn rules_text(rules: &Assignment) -> String {
    if rules.rules().is_empty() {
        return NO_RULES.to_owned();
    }
    let lines =
        rules.rules().iter().enumerate().map(|(at, rule)| format!("rule {}: {rule}", at + 1));
    let warnings = rules.idle_rules().into_iter().map(|warning| format!("warning: {warning}"));
    let last = "otherwise: the default registry".to_owned();
    lines.chain([last]).chain(warnings).collect::<Vec<_>>().join("\n")
}

fn as_json(registries: &[ConfiguredRegistry], rules: &Assignment) -> Value {
    let registry = |one: &ConfiguredRegistry| json!({ "name": one.name, "version": one.version, "tools": one.tools, "from": one.from });
    let texts: Vec<_> = rules.rules().iter().map(ToString::to_string).collect();
    json!({
        "registries": registries.iter().map(registry).collect::<Vec<_>>(),
        "rules": texts,
        "warnings": rules.idle_rules(),
    })
}

fn explain(args: &RegistriesExplainArgs, settings: &Settings) -> Result<ExitOutcome, Failure> {
    let rules = rules(settings)?;
    let id = match &args.conversation {
        Some(id) => id.clone(),
        None => ConversationId::new(installation::fresh_id("cli")?)
            .map_err(|error| Failure::Failed(error.to_string()))?,
    };
    let person = person(args);
    let new = NewConversation { person: &person, id: &id, wanted: args.registry.as_deref() };
    let Explanation { checks, result } = rules.explain(new);
    match args.format {
        DataFormat::Json => {
            let check = |one: &RuleCheck| json!({ "number": one.number, "text": one.rule, "matches": one.matches, "why": one.why });
            let mut value = json!({ "rules": checks.iter().map(check).collect::<Vec<_>>() });
            match &result {
                Ok(assigned) => {
                    value["registry"] = json!(assigned.name);
                    value["reason"] = json!(assigned.reason);
                }
                Err(error) => value["error"] = json!(error.to_string()),
            }
            output::data(&pretty(&value))?;
        }
        DataFormat::Text => {
            for check in &checks {
                let RuleCheck { number, rule, matches, why } = check;
                let word = if *matches { "matches" } else { "does not match" };
                output::data(&format!("rule {number} {word}: {rule}\n  {why}"))?;
            }
            if let Ok(assigned) = &result {
                output::data(&format!("registry: {} ({})", assigned.name, assigned.reason))?;
            }
        }
    }
    match result {
        Ok(_) => Ok(ExitOutcome::Fine),
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}

fn person(args: &RegistriesExplainArgs) -> Person {
    let claims = args.claims.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    Person { id: args.user.clone(), scopes: args.scopes.clone(), claims, ..Person::default() }
}
