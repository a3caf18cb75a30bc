//! A sandbox that runs the top level of many tools, one after another, to check that they load.
//!
//! The shared built-ins are frozen, so no tool sees changes of another, and each has its own modules. A tool
//! that loads here loads alone too. A failure here may only mean that the tool modified a frozen built-in, so
//! it is loaded again in its own sandbox, whose result counts; this sandbox is then discarded.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::{Context, Ctx, Error, Function, Module, Result, Runtime};

use super::builtin::{AILERON, FREEZE};
use super::host_bridge::HostBridge;
use super::instance::{Intrinsics, LEAST_MEMORY, set_up, top_level};
use super::interrupt::TimeLimits;
use super::limits::SandboxLimits;
use super::program::{ModuleResolver, ROOT, declare_root, own};
use super::sources::Sources;

/// Number of tools after which the sandbox is discarded, because they leave data in its memory.
const MOST_TRIED: usize = 256;

pub(crate) struct SharedLoadTest {
    context: Context,
    memory_bytes: usize,
    tried: usize,
}

impl SharedLoadTest {
    pub(crate) fn build(limits: &SandboxLimits) -> Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_gc_threshold(usize::MAX);
        runtime.set_max_stack_size(limits.stack_bytes);
        let context = Context::custom::<Intrinsics>(&runtime)?;
        let host_bridge = Arc::new(HostBridge::new(limits.clone(), RandomState::new().hash_one(0)));
        context.with(|ctx| set_up(&ctx, &host_bridge).and_then(|()| freeze(&ctx)))?;
        Ok(Self { context, memory_bytes: limits.memory_bytes.max(LEAST_MEMORY), tried: 0 })
    }

    /// Whether it has checked the maximum number of tools.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.tried >= MOST_TRIED
    }

    /// Whether the tool's modules compile, run to their end within the limits, and export `execute`. Nothing is
    /// declared under a memory limit: the engine does not survive that.
    pub(crate) fn passes(&mut self, sources: &Arc<Sources>, time_limits: &Arc<TimeLimits>) -> bool {
        self.tried += 1;
        let stall = PrefixedModules::new(self.tried, sources);
        let runtime = self.context.runtime();
        let asked = time_limits.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || asked.poll())));
        runtime.set_memory_limit(0);
        runtime.set_loader(stall.clone(), stall.clone());
        if self.context.with(|ctx| stall.declare(&ctx)).is_err() {
            return false;
        }
        runtime.set_memory_limit(self.memory_bytes);
        let root = stall.named(ROOT);
        self.context.with(|ctx| matches!(top_level(&ctx, &root, time_limits), Ok(Some(_))))
    }
}

/// Freezes the objects that tools share: the built-ins, and the module `aileron`.
fn freeze<'js>(ctx: &Ctx<'js>) -> Result<()> {
    let (shared, _) = own::declare(ctx, AILERON)?.eval()?;
    let (freeze, _) = own::declare(ctx, FREEZE)?.eval()?;
    freeze.get::<_, Function<'js>>("freeze")?.call((shared.namespace()?,))
}

/// The modules of one tool, under names that no other tool has.
#[derive(Clone)]
struct PrefixedModules {
    prefix: Arc<str>,
    sources: Arc<Sources>,
    names: ModuleResolver,
    declared: Arc<Mutex<BTreeSet<String>>>,
}

impl PrefixedModules {
    fn new(number: usize, sources: &Arc<Sources>) -> Self {
        Self {
            prefix: format!("#{number}/").into(),
            sources: sources.clone(),
            names: ModuleResolver::of(sources.modules.keys()),
            declared: Arc::default(),
        }
    }

    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The name without the prefix.
    fn plain<'a>(&self, name: &'a str) -> &'a str {
        name.strip_prefix(&*self.prefix).unwrap_or(name)
    }

    /// Declares every module, including those that only a dynamic import reaches.
    fn declare(&self, ctx: &Ctx<'_>) -> Result<()> {
        declare_root(ctx, &self.named(ROOT), &self.sources.entry)?;
        for name in self.sources.modules.keys().map(|name| self.named(name)) {
            if !self.declared.lock().unwrap_or_else(PoisonError::into_inner).contains(&name) {
                self.clone().load(ctx, &name, None)?;
            }
        }
        Ok(())
    }
}

impl Resolver for PrefixedModules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let (base, name) =
            if base.is_empty() { ("", self.plain(name)) } else { (self.plain(base), name) };
        let found = self.names.resolve(ctx, base, name, attributes)?;
        Ok(if found == AILERON { found } else { self.named(&found) })
    }
}

impl Loader for PrefixedModules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js>> {
        let text = self.sources.modules.get(self.plain(name));
        let text = text.ok_or_else(|| Error::new_loading(name))?;
        self.declared.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into());
        Module::declare(ctx.clone(), name, text.as_bytes())
    }
}
