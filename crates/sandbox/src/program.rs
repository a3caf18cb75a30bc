//! A tool's modules, compiled once and declared in every sandbox.

mod bytecode;
mod names;
pub(crate) mod own;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rquickjs::context::intrinsic;
use rquickjs::loader::{ImportAttributes, Loader};
use rquickjs::{Context, Ctx, Error, Module, Result, Runtime};
use serde_json::json;

use self::bytecode::ModuleCode;
pub(super) use self::names::ModuleResolver;
use super::caught;
use super::fault::LoadError;
use super::sources::Sources;

/// The module that imports the entry, so that all modules are linked before any limit is set. Its one
/// export, `tool`, is the entry's namespace.
pub(crate) const ROOT: &str = "<root>";

/// The features that compiling needs.
type Intrinsics = (intrinsic::Eval, intrinsic::RegExpCompiler);

/// The modules of one tool, ready to be declared.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) tool: String,
    pub(crate) entry: String,
    /// The shapes of the tool's capabilities, as JSON.
    pub(crate) capabilities: String,
    modules: HashMap<String, ModuleCode>,
    names: ModuleResolver,
    /// Modules that only a dynamic import reaches.
    unlinked: Vec<String>,
}

impl Program {
    /// Compiles the modules, which must all be JavaScript and import only each other and `aileron`.
    pub(crate) fn compile(sources: &Sources) -> std::result::Result<Self, LoadError> {
        let Sources { tool, entry, modules, capabilities } = sources;
        let failed = |message: String| LoadError::Module { tool: tool.clone(), message };
        let unknown = |error: Error| failed(error.to_string());
        let code = modules.iter().map(|(name, text)| (name.clone(), ModuleCode::of(name, text)));
        let mut program = Self {
            tool: tool.clone(),
            entry: entry.clone(),
            capabilities: json!(capabilities).to_string(),
            names: ModuleResolver::of(modules.keys()),
            modules: code.collect(),
            unlinked: Vec::new(),
        };
        let recorder = Recorder::of(&program);
        let runtime = Runtime::new().map_err(unknown)?;
        runtime.set_loader(program.names.clone(), recorder.clone());
        let context = Context::custom::<Intrinsics>(&runtime).map_err(unknown)?;
        program.unlinked = context.with(|ctx| {
            let linked = program.record(&ctx, recorder.clone());
            linked.map_err(|error| failed(caught::message_of(&ctx, error)))
        })?;
        program.modules = recorder.into_modules();
        Ok(program)
    }

    /// Declares every module once, and returns those that the entry does not reach.
    fn record(&self, ctx: &Ctx<'_>, mut recorder: Recorder) -> Result<Vec<String>> {
        declare_root(ctx, ROOT, &self.entry)?;
        let mut unlinked: Vec<_> =
            self.modules.keys().filter(|name| !recorder.has(name)).cloned().collect();
        unlinked.sort_unstable();
        for name in &unlinked {
            if !recorder.has(name) {
                recorder.load(ctx, name, None)?;
            }
        }
        Ok(unlinked)
    }

    /// Lets a runtime find the modules.
    pub(crate) fn install(self: &Arc<Self>, runtime: &Runtime) {
        runtime.set_loader(self.names.clone(), ModuleLoader(self.clone()));
    }

    /// Declares all modules of the tool, and the root that imports them.
    pub(crate) fn link(&self, ctx: &Ctx<'_>) -> Result<()> {
        declare_root(ctx, ROOT, &self.entry)?;
        self.unlinked.iter().try_for_each(|name| self.declare(ctx, name).map(drop))
    }

    fn declare<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Module<'js>> {
        match self.modules.get(name) {
            Some(code) => code.declare(ctx, name),
            None => own::declare(ctx, name),
        }
    }
}

/// Declares the module that imports the entry, and with it all imports of the entry.
pub(super) fn declare_root(ctx: &Ctx<'_>, root: &str, entry: &str) -> Result<()> {
    let entry = serde_json::Value::from(entry);
    let source = format!("import * as tool from {entry}; export {{ tool }};");
    Module::declare(ctx.clone(), root, source).map(drop)
}

/// Loads compiled modules.
struct ModuleLoader(Arc<Program>);

impl Loader for ModuleLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js>> {
        self.0.declare(ctx, name)
    }
}

/// Compiles modules from source and keeps their bytecode. The imports of a module are loaded with
/// it.
#[derive(Clone)]
struct Recorder {
    sources: Arc<HashMap<String, ModuleCode>>,
    compiled: Arc<Mutex<HashMap<String, ModuleCode>>>,
}

impl Recorder {
    fn of(program: &Program) -> Self {
        Self { sources: Arc::new(program.modules.clone()), compiled: Arc::default() }
    }

    fn has(&self, name: &str) -> bool {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    fn into_modules(self) -> HashMap<String, ModuleCode> {
        std::mem::take(&mut *self.compiled.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Loader for Recorder {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js>> {
        let Self { sources, compiled } = self.clone();
        let Some(source) = sources.get(name) else { return own::declare(ctx, name) };
        let module = source.declare(ctx, name)?;
        let code = source.compiled(name, &module)?;
        compiled.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), code);
        Ok(module)
    }
}
