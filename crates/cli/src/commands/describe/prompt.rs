//! `aileron describe --prompt`: the instructions of the model, and the tokens of each part.

use std::path::Path;
use std::sync::Arc;

use aileron_agent::Instructions;
use aileron_capability::{Clock, Platform, SystemClock};
use aileron_contract::{ConversationId, Mode, Provider, tokens};
use aileron_orchestrator::{NoopObserver, OpenRequest, Orchestrator, Person, Setup};
use aileron_runtime::Registry;
use serde_json::json;

use crate::args::{DataFormat, DescribeArgs};
use crate::commands::findings::pretty;
use crate::installation;
use crate::output::{self, ExitOutcome, Failure};
use crate::settings::Settings;
use crate::storage::Storage;
use crate::table::{Align, Cell, Table};
use crate::toolset::{Purpose, ToolsetSource};
use crate::writer;

const COLUMNS: [(&str, Align); 2] = [("PART", Align::Left), ("TOKENS", Align::Right)];

pub(super) fn run(
    args: &DescribeArgs,
    mode: Mode,
    config: Option<&Path>,
) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let (text, source) = ToolsetSource::of(&args.source, &settings).text(Purpose::Look)?;
    let registry =
        Registry::load_rules(&text).map_err(|error| installation::unusable(&source, &error))?;
    let target = args.provider.map_or_else(|| declaration_target(&settings, mode), Ok)?;
    let instructions = compose_instructions(&settings, registry, mode)?;
    let declarations = instructions.declarations(target);
    let declared = declarations.iter().map(|one| one.to_string().chars().count()).sum();
    let declared = tokens::of_characters(declared);
    match args.format {
        DataFormat::Json => {
            let part = |part: &aileron_agent::Section| json!({ "name": part.name, "tokens": part.tokens(), "text": part.text });
            let parts: Vec<_> = instructions.parts().iter().map(part).collect();
            let declarations =
                json!({ "target": target, "tokens": declared, "tools": declarations });
            output::data(&pretty(
                &json!({ "mode": mode, "parts": parts, "declarations": declarations }),
            ))?;
        }
        DataFormat::Text => {
            output::data(instructions.text().trim_end())?;
            output::talk(&costs(&instructions, target, declared));
        }
    }
    Ok(ExitOutcome::Fine)
}

/// The declaration target of the configured provider.
fn declaration_target(settings: &Settings, mode: Mode) -> Result<Provider, Failure> {
    match mode {
        Mode::Text => settings.text.declarations(writer::variable),
        Mode::Voice => Ok(settings.voice.declarations()),
    }
}

/// The instructions of an anonymous person's conversation in this mode.
fn compose_instructions(
    settings: &Settings,
    registry: Arc<Registry>,
    mode: Mode,
) -> Result<Instructions, Failure> {
    let Storage { store, signer, .. } = Storage::memory();
    let orchestrator = Orchestrator::new(Setup {
        config: settings.policies.clone(),
        store,
        platform: Platform::default(),
        clock: Arc::new(SystemClock),
        observer: Arc::new(NoopObserver),
        signer,
    });
    let version = registry.version().to_owned();
    let installed = orchestrator.install(registry);
    installed.map_err(|error| Failure::Usage(error.to_string()))?;
    let id = ConversationId::new("describe").map_err(|error| Failure::Failed(error.to_string()))?;
    let opening = OpenRequest { id, mode, person: Person::default() };
    let opened = installation::runtime()?.block_on(orchestrator.open(opening));
    let conversation = opened.map_err(|error| Failure::Usage(error.to_string()))?;
    let budget = *settings.policies.budgets.of(mode);
    let composed =
        settings.prompt.instructions()?.compose(mode, budget, &version, &conversation.tools());
    Ok(composed.at(SystemClock.now_ms()))
}

fn costs(instructions: &Instructions, target: Provider, declared: usize) -> String {
    let parts = instructions.parts().iter().map(|part| (part.name.to_owned(), part.tokens()));
    let mut rows: Vec<_> = parts.collect();
    rows.push((format!("declarations ({target})"), declared));
    let total = rows.iter().map(|(_, tokens)| tokens).sum();
    rows.push(("all, estimated".to_owned(), total));
    let rows: Vec<_> =
        rows.into_iter().map(|(name, tokens)| [name, tokens.to_string()].map(Cell::from)).collect();
    Table::new(COLUMNS).whole(&rows)
}
