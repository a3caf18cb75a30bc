//! The bytecode of modules, kept in memory and never read from outside.
//!
//! The engine's safe interface requires `'static` bytecode, so each distinct module is leaked once,
//! up to a limit. Beyond it, modules are compiled again for every sandbox.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use aileron_contract::ContentHash;
use rquickjs::loader::Loader;
use rquickjs::loader::bundle::{Bundle, ScaBundleData};
use rquickjs::{Ctx, Module, Result, WriteOptions};

/// Maximum bytes of kept bytecode.
const MOST_KEPT: usize = 64 << 20;

type Kept = ScaBundleData<&'static [u8]>;

/// One module.
#[derive(Debug, Clone)]
pub(super) enum ModuleCode {
    Bytecode(Kept),
    Source(Arc<str>),
}

impl ModuleCode {
    /// A module from its source, or from its bytecode if the same was compiled before.
    pub(super) fn of(name: &str, text: &str) -> Self {
        let shelf = shelf().lock().unwrap_or_else(PoisonError::into_inner);
        shelf
            .modules
            .get(&key(name, text))
            .map_or_else(|| Self::Source(text.into()), |kept| Self::Bytecode(kept))
    }

    /// Declares the module under its name.
    pub(super) fn declare<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Module<'js>> {
        match self {
            Self::Bytecode(kept) => Bundle(*kept).load(ctx, name, None),
            Self::Source(text) => Module::declare(ctx.clone(), name, text.as_bytes()),
        }
    }

    /// The module that was declared from this source, as bytecode if there is room for it.
    pub(super) fn compiled(&self, name: &str, module: &Module<'_>) -> Result<Self> {
        let Self::Source(text) = self else { return Ok(self.clone()) };
        let key = key(name, text);
        let mut shelf = shelf().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = shelf.modules.get(&key) {
            return Ok(Self::Bytecode(kept));
        }
        let bytecode = module.write(written(name))?;
        Ok(shelf.keep(key, name, bytecode).map_or_else(|| self.clone(), Self::Bytecode))
    }
}

fn key(name: &str, text: &str) -> ContentHash {
    ContentHash::of_bytes(format!("{name}\n{text}").as_bytes())
}

/// Without its source, so that `toString` of a function shows none; lines are kept for a tool's own stack
/// traces.
fn written(name: &str) -> WriteOptions {
    WriteOptions {
        strip_source: true,
        strip_debug: name.starts_with('<'),
        ..WriteOptions::default()
    }
}

#[derive(Default)]
struct BytecodeCache {
    modules: HashMap<ContentHash, Kept>,
    bytes: usize,
}

impl BytecodeCache {
    fn keep(&mut self, key: ContentHash, name: &str, bytecode: Vec<u8>) -> Option<Kept> {
        if self.bytes.saturating_add(bytecode.len()) > MOST_KEPT {
            return None;
        }
        self.bytes += bytecode.len();
        let name: &'static str = Box::leak(name.into());
        let bytecode: &'static [u8] = Box::leak(bytecode.into_boxed_slice());
        let kept: Kept = Box::leak(Box::new([(name, bytecode)]));
        self.modules.insert(key, kept);
        Some(kept)
    }
}

fn shelf() -> &'static Mutex<BytecodeCache> {
    static SHELF: OnceLock<Mutex<BytecodeCache>> = OnceLock::new();
    SHELF.get_or_init(Mutex::default)
}
