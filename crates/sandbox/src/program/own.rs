//! The modules of the sandbox: `aileron`, and those that set up a sandbox.

use aileron_capability::foreign::javascript::aileron_source;
use std::collections::HashMap;
use std::sync::OnceLock;

use rquickjs::{Context, Ctx, Error, Module, Result, Runtime};

use super::Intrinsics;
use super::bytecode::ModuleCode;
use crate::builtin::{AILERON, BRIDGE, BRIDGE_SOURCE, FREEZE, FREEZE_SOURCE, GUARD, GUARD_SOURCE};

/// Declares one of them by its name.
pub(crate) fn declare<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js>> {
    match modules().get(name) {
        Some(code) => code.declare(ctx, name),
        None => Err(Error::new_loading(name)),
    }
}

/// Compiled on first use.
fn modules() -> &'static HashMap<&'static str, ModuleCode> {
    static MODULES: OnceLock<HashMap<&'static str, ModuleCode>> = OnceLock::new();
    MODULES.get_or_init(|| {
        let sources = [
            (GUARD, GUARD_SOURCE),
            (BRIDGE, BRIDGE_SOURCE),
            (FREEZE, FREEZE_SOURCE),
            (AILERON, aileron_source()),
        ];
        sources.map(|(name, text)| (name, compiled(name, text))).into()
    })
}

/// A module that cannot be compiled here reports the error where it is declared.
fn compiled(name: &str, text: &str) -> ModuleCode {
    let source = ModuleCode::of(name, text);
    let compile = || {
        let context = Context::custom::<Intrinsics>(&Runtime::new()?)?;
        context.with(|ctx| source.compiled(name, &source.declare(&ctx, name)?))
    };
    compile().unwrap_or_else(|_: Error| source.clone())
}
