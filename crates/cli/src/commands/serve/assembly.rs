//! Assembles a server from the settings. Each part with its own settings has a function here that
//! creates it and adds its rows to the start screen.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use aileron_capability::{Clock, SystemClock};
use aileron_contract::Mode;
use aileron_orchestrator::assignment::DEFAULT;
use aileron_orchestrator::{Orchestrator, Setup};
use aileron_page::Page;
use aileron_runtime::Registry;
use aileron_server::voice::Voice;
use aileron_server::{
    Auth, Chat, ChatOptions, EventHub, MeteredObserver, Metrics, ServerMetrics, ServerParts,
};
use aileron_simulator::RunningSimulator;
use aileron_store::Store;
use aileron_telemetry::{Telemetry, TelemetrySettings};

use super::approvals::{Approvals, Approver};
use super::authoring::ToolFolder;
use super::offer::{LoadedRegistry, OfferLoader, SignIn, offer, refused};
use super::screen::Screen;
use crate::args::ServeArgs;
use crate::installation;
use crate::knowledge;
use crate::output::{Failure, count};
use crate::seed;
use crate::settings::{ImageDisplay, ServerSettings, Settings};
use crate::storage::Storage;
use crate::toolset::ToolsetSource;
use crate::writer;

/// A server that can be started, and its start screen.
pub(super) struct Assembly {
    pub(super) parts: ServerParts,
    pub(super) screen: Screen,
    pub(super) settings: Arc<Settings>,
    /// The built-in provider, which runs until this is dropped.
    pub(super) built_in: RunningSimulator,
    /// Loads registries again.
    pub(super) loader: Arc<OfferLoader>,
    /// Rules and registries that are probably not meant.
    pub(super) warnings: Vec<String>,
}

impl Assembly {
    /// `reached` is the address of the server on this machine.
    pub(super) async fn make(
        args: &ServeArgs,
        settings: Settings,
        reached: SocketAddr,
    ) -> Result<Self, Failure> {
        let settings = Arc::new(settings);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let mut screen = Screen::default();
        let telemetry = telemetry(&mut screen)?;
        let metrics = Metrics::new(ServerMetrics::with_telemetry(telemetry));
        let event_hub = Arc::new(EventHub::new(clock.clone()));
        let page = page(args, &mut screen)?;
        let auth = auth(&settings, clock.clone(), &mut screen)?;
        let grammar = settings.confirmation.grammar()?;
        let loader = Arc::new(OfferLoader::new(&settings, SignIn::of(&auth))?);
        let loaded = loader.load(&settings.server).map_err(refused)?;
        let warnings = loader.warnings(&settings.server, &loaded);
        registries(&settings.server, &loaded, &warnings, &mut screen);
        let registries: Vec<&Registry> = loaded.values().map(|it| &*it.registry).collect();
        knowledge(&settings, &mut screen)?;
        let Storage { store, signer, artifacts } = storage(args, &settings, &mut screen)?;
        let keeper = artifacts.map(|artifacts| loader.set_keeper(artifacts));
        loader.keep(&loaded)?;
        engines(&registries, &settings, &mut screen);
        if let Some(tools) = installation::trusted_tools(registries.iter().copied()) {
            screen.row("trusted", tools);
        }
        let secrets = installation::missing_secrets(registries.iter().copied());
        secrets.into_iter().for_each(|line| screen.off(line));
        let images = settings.images.store(ImageDisplay::ByServer);
        let (platform, missing) = installation::platform_for_more(registries, &settings, &images)?;
        loader.set_missing(missing);
        let built_in = writer::built_in().await?;
        let metered =
            Arc::new(MeteredObserver { figures: metrics.clone(), inner: event_hub.clone() });
        let setup = Setup {
            config: settings.policies.clone(),
            store: store.clone(),
            platform,
            clock: clock.clone(),
            observer: Arc::new(Approvals {
                address: reached,
                approver: approver(&auth),
                inner: metered,
            }),
            signer,
        };
        let orchestrator = Orchestrator::with_grammar(setup, grammar);
        let offered = orchestrator.offer(offer(&settings.server, &loaded));
        offered.map_err(|faults| Failure::Usage(faults.join("\n")))?;
        loader.attach(&orchestrator, &settings);
        if let Some(keeper) = keeper {
            let store = store.clone();
            drop(tokio::spawn(async move { keeper.prune(store).await }));
        }
        let prepared = settings.clone();
        drop(tokio::spawn(async move { prepared.calendar.prepare().await }));
        let chat = chat(&settings, store.clone(), &built_in, &mut screen)?;
        let voice = voice(&settings, &built_in, &mut screen)?;
        let parts = ServerParts {
            orchestrator,
            store,
            clock,
            event_hub,
            auth,
            chat: Some(chat),
            images: Some(images),
            page,
            origins: settings.server.origins(),
            limits: settings.server.limits.limits(),
            instructions: settings.prompt.instructions()?,
            metrics,
            voice,
            authoring: Some(Arc::new(ToolFolder::new(
                tools_folder(&settings),
                settings.compile_options(),
            ))),
        };
        Ok(Self { parts, screen, settings, built_in, loader, warnings })
    }
}

/// The folder of tools that the server compiles.
fn tools_folder(settings: &Settings) -> Option<PathBuf> {
    match ToolsetSource::set(settings) {
        ToolsetSource::Folder(folder, _, _) => Some(folder.to_owned()),
        ToolsetSource::Artifact(_) => None,
    }
}

/// OpenTelemetry, as the `OTEL_*` variables say.
fn telemetry(screen: &mut Screen) -> Result<Telemetry, Failure> {
    let settings = TelemetrySettings::read(|name| std::env::var(name).ok());
    let runtime = tokio::runtime::Handle::current();
    let started = Telemetry::start(settings, env!("CARGO_PKG_VERSION"), &runtime);
    let telemetry = started.map_err(|error| Failure::Usage(error.to_string()))?;
    let sent = match (settings.traces, settings.metrics) {
        (true, true) => "traces and metrics",
        (true, false) => "traces",
        (false, true) => "metrics",
        (false, false) => return Ok(telemetry),
    };
    screen.row("telemetry", format!("{sent} by OTLP, as the OTEL_* variables say"));
    Ok(telemetry)
}

fn approver(auth: &Auth) -> Approver {
    match auth {
        Auth::Open => Approver::Here,
        Auth::Tokens(_) | Auth::Jwt(_) => Approver::SignedIn,
    }
}

/// The page for browsers.
fn page(args: &ServeArgs, screen: &mut Screen) -> Result<Page, Failure> {
    let Some(folder) = &args.page else { return Ok(Page::BuiltIn) };
    let page = Page::in_folder(folder.clone());
    let page = page.map_err(|error| Failure::Usage(format!("--page: {error}")))?;
    screen.row("page", format!("from {} (--page)", folder.display()));
    Ok(page)
}

/// The text agent.
fn chat(
    settings: &Settings,
    store: Arc<dyn Store>,
    built_in: &RunningSimulator,
    screen: &mut Screen,
) -> Result<Chat, Failure> {
    let writer = settings.text.text_model(None, None, writer::variable)?;
    let named = writer::model(writer, built_in)?;
    screen.row("chat", format!("/api/chat, {}", named.label(&settings.text.provider)));
    let agent = writer::agent(named.model, settings, store)?;
    Ok(Chat::new(agent, named.provider, ChatOptions::default()).with_model(named.name))
}

/// The voice agent.
fn voice(
    settings: &Settings,
    built_in: &RunningSimulator,
    screen: &mut Screen,
) -> Result<Voice, Failure> {
    let providers = settings.voice.providers(&format!("http://{}", built_in.address))?;
    screen.row("voice", format!("/v1/voice, {}", providers.usual()));
    let deadline = *settings.policies.deadlines.of(Mode::Voice);
    Ok(Voice::new(providers, settings.voice.limits(deadline)?))
}

/// Beyond this machine, authentication is required.
fn auth(settings: &Settings, clock: Arc<dyn Clock>, screen: &mut Screen) -> Result<Auth, Failure> {
    let auth = settings.auth.auth(clock)?;
    let address = settings.server.address;
    match &auth {
        Auth::Open if !address.ip().is_loopback() => {
            return Err(Failure::Usage(format!(
                "{address} can be reached from other machines, but authentication is off; set \
                 [auth] (docs/settings.md), or listen on 127.0.0.1"
            )));
        }
        Auth::Open => screen.row("auth", "off; only connections from this machine are accepted"),
        Auth::Tokens(tokens) => {
            screen.sign_in();
            screen.row("auth", count(tokens.len(), "token"));
        }
        Auth::Jwt(_) => {
            screen.sign_in();
            screen.row("auth", "JSON Web Tokens");
        }
    }
    Ok(auth)
}

/// How many tools the banner names.
const NAMED_TOOLS: usize = 12;

/// The names of the first tools, and the number of the others.
fn named(ids: &[&str]) -> String {
    let shown = ids.get(..NAMED_TOOLS).unwrap_or(ids).join(", ");
    match ids.len().saturating_sub(NAMED_TOOLS) {
        0 => shown,
        more => format!("{shown} and {more} more (`aileron list` names them)"),
    }
}

/// The rows of the registries, the default one first, and of the rules that assign them.
fn registries(
    server: &ServerSettings,
    loaded: &BTreeMap<String, LoadedRegistry>,
    warnings: &[String],
    screen: &mut Screen,
) {
    let default = loaded.iter().filter(|(name, _)| *name == DEFAULT);
    for (name, loaded) in default.chain(loaded.iter().filter(|(name, _)| *name != DEFAULT)) {
        let LoadedRegistry { registry, source, millis, .. } = loaded;
        let named_as = if name == DEFAULT { String::new() } else { format!("{name}: ") };
        let version = registry.version();
        screen.row("registry", format!("{named_as}{version} from `{source}`, in {millis} ms"));
        let tools = registry.tools().iter();
        let ids: Vec<&str> = tools.map(|tool| tool.spec().tool_id.as_str()).collect();
        screen.row("tools", format!("{named_as}{}: {}", ids.len(), named(&ids)));
        for one in loaded.left_out() {
            let codes = one.codes.join(", ");
            screen.off(format!("{named_as}{}: left out of the toolset ({codes})", one.directory));
        }
    }
    for (at, rule) in server.assignment.iter().enumerate() {
        screen.row("assignment", format!("rule {}: {rule}", at + 1));
    }
    warnings.iter().for_each(|warning| screen.row("warning", warning.clone()));
}

/// The knowledge base, which has the shipped records after the first start.
fn knowledge(settings: &Settings, screen: &mut Screen) -> Result<(), Failure> {
    let (base, folder) = (seed::knowledge(settings)?, settings.kb.path.display());
    match base.exists() {
        true => {
            let records = base.stats().map_err(knowledge::failure)?.records;
            screen.row("knowledge", format!("{records} records ({folder})"));
        }
        false => screen.off(format!(
            "knowledge: no knowledge base at {folder}; `aileron kb ingest <path>` creates it"
        )),
    }
    Ok(())
}

fn storage(args: &ServeArgs, settings: &Settings, screen: &mut Screen) -> Result<Storage, Failure> {
    if args.memory {
        screen.row("store", "in memory, not saved (--memory)");
        return Ok(Storage::memory());
    }
    let path = &settings.store.path;
    screen.row("store", path.display().to_string());
    Storage::open(path)
}

/// Lists the capabilities without an engine.
fn engines(registries: &[&Registry], settings: &Settings, screen: &mut Screen) {
    let engines = [("calendar", settings.calendar.is_off()), ("images", settings.images.is_off())];
    for (engine, _) in engines.into_iter().filter(|(_, is_off)| *is_off) {
        let tools = registries.iter().flat_map(|registry| registry.tools());
        let declaring = tools
            .map(|tool| tool.spec())
            .filter(|spec| spec.capabilities.iter().any(|it| it == engine));
        let ids: BTreeSet<&str> = declaring.map(|spec| spec.tool_id.as_str()).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        if !ids.is_empty() {
            let ids = named(&ids);
            screen.off(format!(
                "{engine}: no engine is configured; {ids} will get the fault UNAVAILABLE from this capability"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_banner_names_a_few_of_many_tools() {
        let ids: Vec<_> = (0..8_199).map(|i| format!("tool_{i}")).collect();
        let ids: Vec<_> = ids.iter().map(String::as_str).collect();
        assert_eq!(named(&ids[..2]), "tool_0, tool_1");
        assert!(named(&ids[..12]).ends_with("tool_10, tool_11"));
        let many = named(&ids);
        assert!(many.starts_with("tool_0, tool_1, "), "{many}");
        assert!(many.ends_with("tool_11 and 8187 more (`aileron list` names them)"), "{many}");
    }
}
