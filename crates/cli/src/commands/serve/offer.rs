//! The registries and rules of the settings, loaded for new conversations: at the start, when files of tools
//! change, and when the settings are read again.

mod warnings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Instant;

use aileron_compiler::Options;
use aileron_contract::{Artifact, ContentHash, LeftOutTool};
use aileron_orchestrator::assignment::DEFAULT;
use aileron_orchestrator::{Assignment, Offer, Orchestrator, Toolset};
use aileron_runtime::Registry;
use aileron_server::{LoadedOffer, RegistrySource};
use aileron_store::Artifacts;

pub(super) use self::warnings::SignIn;
use crate::archive::{self, ArtifactKeeper, ToolFolders};
use crate::args::ServeArgs;
use crate::installation::{HandlerEngines, MissingEngines};
use crate::output::Failure;
use crate::settings::{RegistrySettings, ServerSettings, Settings, registry_faults};
use crate::toolset::{self, FailedTools, Purpose, ToolsetSource};

/// A registry that was loaded, and where it is from.
#[derive(Debug)]
pub(super) struct LoadedRegistry {
    pub(super) registry: Arc<Registry>,
    /// The text of its artifact.
    text: String,
    pub(super) source: String,
    pub(super) millis: u128,
}

impl LoadedRegistry {
    /// The tools that its build left out.
    pub(super) fn left_out(&self) -> Vec<LeftOutTool> {
        toolset::left_out(&self.text)
    }
}

/// Loads the registries and rules of the settings.
#[derive(Debug)]
pub(super) struct OfferLoader {
    engines: HandlerEngines,
    options: Options,
    /// The treatment of tools with errors.
    failed: FailedTools,
    folders: ToolFolders,
    /// The loaded registries by content and folder, so that one that is still in use is not loaded twice.
    loaded: Mutex<BTreeMap<(ContentHash, PathBuf), Weak<Registry>>>,
    sign_in: SignIn,
    /// Set once the store is open; none for a store in memory.
    keeper: OnceLock<Arc<ArtifactKeeper>>,
    /// Engines of capabilities that cannot be created, set once the others are there.
    missing: OnceLock<MissingEngines>,
    /// The registries and rules in force: of the start, or of the last time that the settings were read.
    current: Mutex<ServerSettings>,
}

impl OfferLoader {
    pub(super) fn new(settings: &Settings, sign_in: SignIn) -> Result<Self, Failure> {
        Ok(Self {
            engines: HandlerEngines::new(&settings.handlers)?,
            options: settings.compile_options(),
            failed: FailedTools::of(false, settings),
            folders: ToolFolders::default(),
            loaded: Mutex::default(),
            sign_in,
            keeper: OnceLock::new(),
            missing: OnceLock::new(),
            current: Mutex::new(settings.server.clone()),
        })
    }

    /// Stores the artifacts of these registries, and of every later one, beside the store.
    pub(super) fn set_keeper(&self, artifacts: Artifacts) -> Arc<ArtifactKeeper> {
        self.keeper.get_or_init(|| Arc::new(ArtifactKeeper::new(artifacts))).clone()
    }

    /// Refuses later registries with a tool that needs one of these.
    pub(super) fn set_missing(&self, missing: MissingEngines) {
        let _ = self.missing.set(missing);
    }

    /// Loads older registries with the same engines.
    pub(super) fn attach(&self, orchestrator: &Orchestrator, settings: &Settings) {
        let Some(keeper) = self.keeper.get() else { return };
        let engines = OnceLock::from(self.engines.clone());
        let with = (engines, self.folders.clone());
        archive::attach_with(orchestrator, keeper.artifacts().clone(), &settings.handlers, with);
    }

    /// The folders of tools among the registries.
    pub(super) fn tool_folders(&self) -> Vec<PathBuf> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let default = current.registry.as_os_str().is_empty().then(|| current.tools.clone());
        let named = current.registries.iter().map(|registry| registry.path.clone());
        default.into_iter().chain(named.filter(|path| path.is_dir())).collect()
    }

    /// Loads every registry of these settings; reports the faults of all of them, each with its name.
    pub(super) fn load(
        &self,
        server: &ServerSettings,
    ) -> Result<BTreeMap<String, LoadedRegistry>, Vec<Failure>> {
        let faults = registry_faults(&server.registries);
        let mut faults: Vec<Failure> = faults.into_iter().map(Failure::Usage).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let named = server.registries.iter();
        let named =
            named.map(|it| (it.name.as_str(), source_of(it, server, (&self.options, self.failed))));
        let default = ToolsetSource::of_server(server, self.options.clone(), self.failed);
        let all = [(DEFAULT, (default, server.tools.as_path()))];
        let mut loaded = BTreeMap::new();
        for (name, (source, tools)) in all.into_iter().chain(named) {
            match self.load_one(source, tools) {
                Ok(registry) => drop(loaded.insert(name.to_owned(), registry)),
                Err(failure) => faults.push(fault(name, server, failure)),
            }
        }
        let names = loaded.keys().map(String::as_str);
        let rules = Assignment::new(server.assignment.clone(), names);
        // A rule that names a registry with a fault has none of its own.
        let rules = rules.err().filter(|_| faults.is_empty()).unwrap_or_default();
        faults.extend(rules.into_iter().map(Failure::Usage));
        if faults.is_empty() { Ok(loaded) } else { Err(faults) }
    }

    fn load_one(&self, source: ToolsetSource<'_>, tools: &Path) -> Result<LoadedRegistry, Failure> {
        let began = Instant::now();
        let (text, source) = source.text(Purpose::Run)?;
        let registry = self.registry(&text, &source, tools)?;
        self.missing.get().map_or(Ok(()), |missing| missing.check(&registry))?;
        self.folders.add(tools.to_path_buf());
        let millis = began.elapsed().as_millis();
        Ok(LoadedRegistry { registry, text, source, millis })
    }

    /// The registry of an artifact: the one that is in use, or another.
    fn registry(&self, text: &str, source: &str, tools: &Path) -> Result<Arc<Registry>, Failure> {
        let unusable = |why: String| Failure::Usage(format!("`{source}` cannot be used: {why}"));
        let artifact = Artifact::read(text).map_err(|error| unusable(error.to_string()))?;
        let key = (artifact.content_hash, tools.to_path_buf());
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.retain(|_, registry| registry.strong_count() > 0);
        if let Some(found) = loaded.get(&key).and_then(Weak::upgrade) {
            return Ok(found);
        }
        let registry = self.engines.registry(text, source, tools)?;
        // Its conditions are parsed here, so that a fault is reported with its name.
        Toolset::new(registry.clone()).map_err(|error| unusable(error.to_string()))?;
        loaded.insert(key, Arc::downgrade(&registry));
        Ok(registry)
    }

    /// Stores the artifacts, so that conversations can continue with them after a restart.
    pub(super) fn keep(&self, loaded: &BTreeMap<String, LoadedRegistry>) -> Result<(), Failure> {
        let Some(keeper) = self.keeper.get() else { return Ok(()) };
        loaded.values().try_for_each(|loaded| keeper.keep(&loaded.text))
    }

    /// The warnings about registries and rules that were loaded.
    pub(super) fn warnings(
        &self,
        server: &ServerSettings,
        loaded: &BTreeMap<String, LoadedRegistry>,
    ) -> Vec<String> {
        warnings::of(&self.sign_in, server, loaded)
    }

    /// Loads the registries and rules in force again, because files of tools have changed.
    pub(super) fn load_current(&self) -> Result<LoadedOffer, Vec<String>> {
        let server = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.offer(&server)
    }

    fn offer(&self, server: &ServerSettings) -> Result<LoadedOffer, Vec<String>> {
        let loaded =
            self.load(server).map_err(|faults| faults.into_iter().map(text).collect::<Vec<_>>())?;
        self.keep(&loaded).map_err(|failure| vec![text(failure)])?;
        let warnings = self.warnings(server, &loaded);
        Ok(LoadedOffer { offer: offer(server, &loaded), warnings })
    }
}

/// The offer of loaded registries.
pub(super) fn offer(server: &ServerSettings, loaded: &BTreeMap<String, LoadedRegistry>) -> Offer {
    let registry =
        |(name, loaded): (&String, &LoadedRegistry)| (name.clone(), loaded.registry.clone());
    Offer { registries: loaded.iter().map(registry).collect(), rules: server.assignment.clone() }
}

/// A folder or an artifact, and the folder beside which its handlers find their packages.
fn source_of<'a>(
    registry: &'a RegistrySettings,
    server: &'a ServerSettings,
    (options, failed): (&Options, FailedTools),
) -> (ToolsetSource<'a>, &'a Path) {
    let RegistrySettings { path, tools, .. } = registry;
    match path.is_dir() {
        true => (ToolsetSource::Folder(path, options.clone(), failed), path),
        false if tools.as_os_str().is_empty() => (ToolsetSource::Artifact(path), &server.tools),
        false => (ToolsetSource::Artifact(path), tools),
    }
}

/// Names the registry, where there are several.
fn fault(name: &str, server: &ServerSettings, failure: Failure) -> Failure {
    if server.registries.is_empty() {
        return failure;
    }
    let named = |why: String| format!("registry `{name}`: {why}");
    match failure {
        Failure::Usage(why) => Failure::Usage(named(why)),
        Failure::Failed(why) => Failure::Failed(named(why)),
    }
}

fn text(failure: Failure) -> String {
    let (Failure::Usage(why) | Failure::Failed(why)) = failure;
    why
}

/// All faults as one, a line each.
pub(super) fn refused(faults: Vec<Failure>) -> Failure {
    let is_usage = faults.iter().any(|fault| matches!(fault, Failure::Usage(_)));
    let faults = faults.into_iter().map(text).collect::<Vec<_>>().join("\n");
    if is_usage { Failure::Usage(faults) } else { Failure::Failed(faults) }
}

/// Reads the settings again, with the flags of the command.
#[derive(Debug)]
pub(super) struct SettingsSource {
    pub(super) loader: Arc<OfferLoader>,
    pub(super) config: Option<PathBuf>,
    pub(super) args: ServeArgs,
    /// The settings of the start. Only registries and rules can change while the server runs.
    pub(super) settings: Arc<Settings>,
}

impl SettingsSource {
    fn read(&self) -> Result<ServerSettings, Failure> {
        let layers = Settings::load_layers(self.config.as_deref())?;
        let ServerSettings { tools, registry, registries, assignment, .. } =
            layers.with_flags(self.args.flags()?)?.settings.server;
        let start = self.settings.server.clone();
        Ok(ServerSettings { tools, registry, registries, assignment, ..start })
    }
}

impl RegistrySource for SettingsSource {
    fn load(&self) -> Result<LoadedOffer, Vec<String>> {
        let server = self.read().map_err(|failure| vec![text(failure)])?;
        let loaded = self.loader.offer(&server)?;
        *self.loader.current.lock().unwrap_or_else(PoisonError::into_inner) = server;
        Ok(loaded)
    }
}
