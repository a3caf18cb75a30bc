//! Assembles the parts for making calls, from the settings.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_capability::http::HttpClient;
use aileron_capability::kb::GuardedKb;
use aileron_capability::secrets::EnvironmentSecrets;
use aileron_capability::{Calendar, Capability, Images, Kb};
use aileron_capability::{Platform, SystemClock};
use aileron_images::ImageStore;
use aileron_orchestrator::token::TokenId;
use aileron_runtime::{Handlers, LoadError, Registry};
use aileron_sandbox::JsEngine;
use aileron_workers::Workers;
use tokio::runtime::{Builder, Runtime};

use crate::knowledge::{self, KbEngine};
use crate::output::Failure;
use crate::settings::{HandlerSettings, HttpSettings, Settings};

/// Loads a registry with all of its handlers; `source` says where the text is from, `tools` is the
/// folder beside which handlers find their packages.
pub(crate) fn registry(
    text: &str,
    source: &str,
    settings: &HandlerSettings,
    tools: &Path,
) -> Result<Arc<Registry>, Failure> {
    HandlerEngines::new(settings)?.registry(text, source, tools)
}

/// Runs the handlers of all registries of a process. They share one JavaScript engine, so that its threads or
/// processes do not grow with the number of registries; each registry has its own Node.js and Python
/// workers, which start with its first such handler and end with it.
#[derive(Debug, Clone)]
pub(crate) struct HandlerEngines {
    javascript: Arc<JsEngine>,
    settings: HandlerSettings,
}

impl HandlerEngines {
    pub(crate) fn new(settings: &HandlerSettings) -> Result<Self, Failure> {
        let engine = JsEngine::new(settings.options()?)
            .map_err(|error| Failure::Failed(format!("JavaScript cannot be run: {error}")))?;
        Ok(Self { javascript: Arc::new(engine), settings: settings.clone() })
    }

    /// Loads a registry with all of its handlers, or refuses it.
    pub(crate) fn registry(
        &self,
        text: &str,
        source: &str,
        tools: &Path,
    ) -> Result<Arc<Registry>, Failure> {
        Registry::load(text, &self.handlers(tools)?).map_err(|error| unusable(source, &error))
    }

    /// An older registry, whose handlers find their packages beside one of these folders. A tool that cannot
    /// run any more has only its rules.
    pub(crate) fn past_registry(
        &self,
        text: &str,
        tools: &[PathBuf],
    ) -> Result<Arc<Registry>, String> {
        for folder in tools {
            let handlers = self.handlers(folder).map_err(|failure| failure.to_string())?;
            if let Ok(registry) = Registry::load(text, &handlers) {
                return Ok(registry);
            }
        }
        let folder = tools.first().map_or(Path::new(""), PathBuf::as_path);
        let handlers = self.handlers(folder).map_err(|failure| failure.to_string())?;
        Registry::load_past(text, &handlers).map_err(|error| error.to_string())
    }

    fn handlers(&self, tools: &Path) -> Result<Handlers, Failure> {
        let workers = self.settings.worker_options(tools)?;
        let workers = workers.map(|options| Arc::new(Workers::new(options)) as _);
        let engine = Some(self.javascript.clone() as _);
        Ok(Handlers { natives: aileron_tools::natives(), engine, workers })
    }
}

/// Why a registry cannot be used.
pub(crate) fn unusable(source: &str, error: &LoadError) -> Failure {
    Failure::Usage(format!("`{source}` cannot be used: {error}"))
}

/// The engines behind the capabilities, each only if a tool of a registry declares it.
pub(crate) fn platform<'a>(
    registries: impl IntoIterator<Item = &'a Registry>,
    settings: &Settings,
    images: &ImageStore,
) -> Result<Platform, Failure> {
    let tools = registries.into_iter().flat_map(Registry::tools);
    let names: BTreeSet<&String> = tools.flat_map(|tool| &tool.spec().capabilities).collect();
    let declared = |wanted: fn(&Capability) -> bool| {
        names.iter().any(|name| name.parse().is_ok_and(|capability| wanted(&capability)))
    };
    let http = declared(|it| matches!(it, Capability::Http(_))).then(|| client(&settings.http));
    let kb = declared(|it| matches!(it, Capability::Kb)).then(|| guarded(settings));
    let calendar = declared(|it| matches!(it, Capability::Calendar)).then(|| calendar(settings));
    let image_engine =
        declared(|it| matches!(it, Capability::Images)).then(|| making_images(settings, images));
    Ok(Platform {
        kb: kb.transpose()?,
        calendar: calendar.transpose()?.flatten(),
        images: image_engine.transpose()?.flatten(),
        http: http.transpose()?,
        secrets: Some(Arc::new(EnvironmentSecrets)),
        masks: Arc::default(),
    })
}

/// The engines of these tools, and those that tools added later may need. If one of the latter
/// cannot be created, its reason is kept.
pub(crate) fn platform_for_more<'a>(
    registries: impl IntoIterator<Item = &'a Registry>,
    settings: &Settings,
    images: &ImageStore,
) -> Result<(Platform, MissingEngines), Failure> {
    let mut missing = MissingEngines::default();
    let Platform { kb, calendar: times, images: pictures, http, secrets, masks } =
        platform(registries, settings, images)?;
    let platform = Platform {
        kb: kb.or_else(|| missing.made("kb", guarded(settings).map(Some))),
        calendar: times.or_else(|| missing.made("calendar", calendar(settings))),
        images: pictures.or_else(|| missing.made("images", making_images(settings, images))),
        http: http.or_else(|| missing.made("http", client(&settings.http).map(Some))),
        secrets,
        masks,
    };
    Ok((platform, missing))
}

/// Engines that could not be created and that no tool needs yet, by capability, with the reason.
#[derive(Debug, Default)]
pub(crate) struct MissingEngines(Vec<(&'static str, String)>);

impl MissingEngines {
    fn made<T>(&mut self, name: &'static str, made: Result<Option<T>, Failure>) -> Option<T> {
        made.unwrap_or_else(|failure| {
            let (Failure::Usage(why) | Failure::Failed(why)) = failure;
            self.0.push((name, why));
            None
        })
    }

    /// Refuses a registry with a tool that needs one of them.
    pub(crate) fn check(&self, registry: &Registry) -> Result<(), Failure> {
        for spec in registry.tools().iter().map(|tool| tool.spec()) {
            let needs = |name: &str| {
                let mut declared = spec.capabilities.iter();
                declared.any(|it| it == name || it.starts_with(&format!("{name}:")))
            };
            if let Some((name, why)) = self.0.iter().find(|(name, _)| needs(name)) {
                let tool = &spec.tool_id;
                return Err(Failure::Failed(format!(
                    "`{tool}` needs `{name}`, which was not there when the server started: {why}; \
                     mend that and start it again"
                )));
            }
        }
        Ok(())
    }
}

/// The tools whose handlers have the rights of this user, for the operator.
pub(crate) fn trusted_tools<'a>(
    registries: impl IntoIterator<Item = &'a Registry>,
) -> Option<String> {
    let tools = registries.into_iter().flat_map(Registry::tools).map(|tool| tool.artifact());
    let trusted = tools.filter(|tool| tool.handler.is_trusted());
    let names: BTreeSet<_> =
        trusted.map(|tool| format!("{} ({})", tool.id(), tool.handler.runtime())).collect();
    let names: Vec<_> = names.into_iter().collect();
    let text = format!("{}: their code runs with the rights of this user", names.join(", "));
    (!names.is_empty()).then_some(text)
}

/// A line for each declared secret that is not set: the tools that need it, and how to set it.
pub(crate) fn missing_secrets<'a>(
    registries: impl IntoIterator<Item = &'a Registry>,
) -> Vec<String> {
    let mut needed: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let tools = registries.into_iter().flat_map(Registry::tools);
    for spec in tools.map(|tool| tool.spec()) {
        for name in &spec.capabilities {
            if let Ok(Capability::Secret(name)) = name.parse() {
                needed.entry(name).or_default().insert(spec.tool_id.as_str());
            }
        }
    }
    let is_missing = |name: &str| env::var(name).unwrap_or_default().is_empty();
    let missing = needed.into_iter().filter(|(name, _)| is_missing(name));
    let line = |(name, tools): (String, BTreeSet<&str>)| {
        let tools = tools.into_iter().collect::<Vec<_>>().join(", ");
        format!(
            "secret {name}: not set, and {tools} will fail without it; set the environment variable \
             {name} and start again"
        )
    };
    missing.map(line).collect()
}

fn calendar(settings: &Settings) -> Result<Option<Arc<dyn Calendar>>, Failure> {
    let engine = settings.calendar.engine(&settings.http, Arc::new(SystemClock))?;
    Ok(engine.map(|engine| Arc::new(engine) as Arc<dyn Calendar>))
}

fn making_images(
    settings: &Settings,
    store: &ImageStore,
) -> Result<Option<Arc<dyn Images>>, Failure> {
    let web = client(&settings.http)?;
    let engine =
        settings.images.engine(store.clone(), &settings.http, web, Arc::new(SystemClock))?;
    Ok(engine.map(|engine| Arc::new(engine) as Arc<dyn Images>))
}

fn client(settings: &HttpSettings) -> Result<Arc<HttpClient>, Failure> {
    let client = aileron_http::client(settings.options()?);
    let fault = |error| Failure::Usage(format!("[http] cannot be used: {error}"));
    client.map(Arc::new).map_err(fault)
}

/// The knowledge base with its access rules. Nothing is read yet, and it need not exist.
fn guarded(settings: &Settings) -> Result<Arc<dyn Kb>, Failure> {
    let inner = Arc::new(KbEngine::new(knowledge::open(settings, None)?));
    Ok(Arc::new(GuardedKb { inner, readers: settings.kb.readers.clone() }))
}

/// The runtime that calls are made in.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let built = Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| Failure::Failed(format!("no threads can be started: {error}")))
}

/// A unique id.
pub(crate) fn fresh_id(kind: &str) -> Result<String, Failure> {
    let random = TokenId::random();
    let random = random.map_err(|error| Failure::Failed(format!("no randomness: {error}")))?;
    Ok(format!("{kind}-{}", random.as_str()))
}
