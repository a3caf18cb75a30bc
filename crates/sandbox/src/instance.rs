//! One sandbox: its own runtime, a context, a tool's modules. Used for one call and then discarded.
//!
//! Everything is declared before the memory limit is set, because the engine does not survive being built
//! at its limit. The cycle collector stays off: when memory runs out while an object is being changed, the
//! engine makes an error object, and a collection at that moment corrupts the heap. A sandbox does not live
//! long enough to need one; it is freed whole.

use aileron_capability::foreign::HandlerFault;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rquickjs::context::intrinsic;
use rquickjs::{Context, Ctx, Error, Function, Module, Object, Runtime, Value as JsValue};
use serde_json::{Value, json};

use super::builtin::{BRIDGE, GUARD};
use super::caught;
use super::fault::LoadError;
use super::host_bridge::{AttachedCall, HostBridge, MethodReply};
use super::interrupt::TimeLimits;
use super::limits::SandboxLimits;
use super::natives::natives;
use super::program::{Program, ROOT, own};

/// No weak references, because their callbacks reveal when memory is freed, and no clock except the
/// host's.
pub(super) type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// Part of it is used by the engine itself.
pub(super) const LEAST_MEMORY: usize = 1 << 20;

const TOP_LEVEL_WAITS: &str = "the top level of a module never settles";
const NEVER_SETTLES: &str = "execute never settles: it waits for nothing that could still happen";

/// The result of one slice of execution.
#[derive(Debug)]
pub(crate) enum SliceResult {
    /// The code waits for replies.
    Waiting,
    Finished(Result<Value, HandlerFault>),
}

pub(crate) struct Instance {
    context: Context,
    host_bridge: Arc<HostBridge>,
    memory_bytes: usize,
    /// The size of the host's replies to the running call.
    received_bytes: AtomicUsize,
}

impl Instance {
    /// Builds a sandbox and runs the top level of the tool's modules, within the limits.
    pub(crate) fn build(
        program: &Arc<Program>,
        limits: &SandboxLimits,
        time_limits: &Arc<TimeLimits>,
    ) -> Result<Self, LoadError> {
        let broken = |error: Error| LoadError::Module {
            tool: program.tool.clone(),
            message: error.to_string(),
        };
        let runtime = Runtime::new().map_err(broken)?;
        runtime.set_gc_threshold(usize::MAX);
        runtime.set_max_stack_size(limits.stack_bytes);
        program.install(&runtime);
        let context = Context::custom::<Intrinsics>(&runtime).map_err(broken)?;
        let host_bridge = Arc::new(HostBridge::new(limits.clone(), RandomState::new().hash_one(0)));
        let instance = Self {
            context,
            host_bridge,
            memory_bytes: limits.memory_bytes.max(LEAST_MEMORY),
            received_bytes: AtomicUsize::new(0),
        };
        instance.prepare(program, time_limits)?;
        Ok(instance)
    }

    fn prepare(&self, program: &Program, time_limits: &Arc<TimeLimits>) -> Result<(), LoadError> {
        self.context.with(|ctx| {
            self.declare(&ctx, program).map_err(|error| LoadError::Module {
                tool: program.tool.clone(),
                message: caught::message_of(&ctx, error),
            })
        })?;
        self.context.runtime().set_memory_limit(self.memory_bytes);
        self.set_interrupt_handler(time_limits);
        self.context.with(|ctx| self.evaluate(&ctx, program, time_limits))
    }

    fn declare(&self, ctx: &Ctx<'_>, program: &Program) -> rquickjs::Result<()> {
        set_up(ctx, &self.host_bridge)?;
        let capabilities = ctx.json_parse(program.capabilities.as_str())?;
        hooks(ctx)?.get::<_, Function<'_>>("equip")?.call::<_, ()>((capabilities,))?;
        program.link(ctx)
    }

    /// Runs the top level of the modules and keeps `execute`.
    fn evaluate<'js>(
        &self,
        ctx: &Ctx<'js>,
        program: &Program,
        time_limits: &TimeLimits,
    ) -> Result<(), LoadError> {
        let failed = |fault| LoadError::TopLevel { tool: program.tool.clone(), fault };
        let execute = top_level(ctx, ROOT, time_limits).map_err(failed)?;
        let execute = execute.ok_or_else(|| LoadError::NoExecute {
            tool: program.tool.clone(),
            entry: program.entry.clone(),
        })?;
        let kept = ctx.store_userdata(execute).map(drop);
        kept.map_err(|error| failed(fault_of(ctx, time_limits, error.into())))
    }

    /// Makes the engine poll these limits.
    fn set_interrupt_handler(&self, time_limits: &Arc<TimeLimits>) {
        let time_limits = time_limits.clone();
        self.context.runtime().set_interrupt_handler(Some(Box::new(move || time_limits.poll())));
    }

    /// Starts the call with `{ args, context }`, attached to the bridge.
    pub(crate) fn start(&self, attached_call: Arc<AttachedCall>, input: &str) -> SliceResult {
        let time_limits = attached_call.time_limits.clone();
        self.set_interrupt_handler(&time_limits);
        self.host_bridge.open(attached_call);
        self.received_bytes.store(0, Ordering::Relaxed);
        self.slice(&time_limits, |ctx| {
            let hooks = hooks(ctx)?;
            let execute = ctx.userdata::<Function<'_>>().ok_or(Error::Unknown)?.clone();
            let input = ctx.json_parse(input)?;
            hooks.get::<_, Function<'_>>("start")?.call((execute, input))
        })
    }

    /// Continues with the host's replies.
    pub(crate) fn resume(
        &self,
        time_limits: &TimeLimits,
        replies: Vec<MethodReply>,
    ) -> SliceResult {
        self.slice(time_limits, |ctx| self.settle(ctx, replies))
    }

    fn settle<'js>(&self, ctx: &Ctx<'js>, replies: Vec<MethodReply>) -> rquickjs::Result<()> {
        let settle: Function<'js> = hooks(ctx)?.get("settle")?;
        for reply in replies {
            self.host_bridge.answered();
            let (failed, value) = match reply.answer {
                Ok(text) => {
                    self.received_bytes.fetch_add(text.len(), Ordering::Relaxed);
                    (false, ctx.json_parse(text)?)
                }
                Err(fault) => (true, ctx.json_parse(json!(fault).to_string())?),
            };
            settle.call::<_, ()>((reply.id, failed, value))?;
        }
        Ok(())
    }

    /// Runs one step and all pending jobs, until the code ends or waits.
    fn slice(
        &self,
        time_limits: &TimeLimits,
        step: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<()>,
    ) -> SliceResult {
        time_limits.enter();
        let progress = self.context.with(|ctx| match step(&ctx) {
            Ok(()) => self.drain(&ctx, time_limits),
            Err(error) => SliceResult::Finished(Err(fault_of(&ctx, time_limits, error))),
        });
        time_limits.leave();
        match progress {
            SliceResult::Waiting if !self.host_bridge.is_waiting() => {
                SliceResult::Finished(Err(self.idle_fault()))
            }
            progress => progress,
        }
    }

    fn drain(&self, ctx: &Ctx<'_>, time_limits: &TimeLimits) -> SliceResult {
        loop {
            if let Some(outcome) = self.host_bridge.take_outcome() {
                return SliceResult::Finished(outcome);
            }
            if time_limits.poll_wall_clock() {
                return SliceResult::Finished(Err(time_limits
                    .stopped()
                    .map_or(HandlerFault::LostMidway, HandlerFault::from)));
            }
            if ctx.execute_pending_job() {
                continue;
            }
            let ready = self.host_bridge.take_ready();
            if ready.is_empty() {
                return SliceResult::Waiting;
            }
            if let Err(error) = self.settle(ctx, ready) {
                return SliceResult::Finished(Err(fault_of(ctx, time_limits, error)));
            }
        }
    }

    /// The fault of code that can make no progress: a promise reaction that ran out of memory is
    /// lost silently, and with it often the data that filled the memory. So code that received much
    /// data counts as exhausted too.
    fn idle_fault(&self) -> HandlerFault {
        let used = self.context.runtime().memory_usage().malloc_size;
        let used = usize::try_from(used).unwrap_or_default();
        let received = self.received_bytes.load(Ordering::Relaxed);
        if used > self.memory_bytes / 10 * 9 || received > self.memory_bytes / 4 {
            return HandlerFault::OutOfMemory;
        }
        HandlerFault::error("Error", NEVER_SETTLES)
    }
}

/// Sets up a context as a sandbox, and stores the hooks where the tool's code cannot reach them.
pub(super) fn set_up<'js>(ctx: &Ctx<'js>, host_bridge: &Arc<HostBridge>) -> rquickjs::Result<()> {
    let natives = natives(ctx, host_bridge)?;
    let (guard, _) = own::declare(ctx, GUARD)?.eval()?;
    guard.get::<_, Function<'js>>("guard")?.call::<_, ()>((natives.clone(),))?;
    let (bridge, _) = own::declare(ctx, BRIDGE)?.eval()?;
    let hooks: Object<'js> = bridge.get::<_, Function<'js>>("bridge")?.call((natives,))?;
    ctx.store_userdata(hooks).map(drop).map_err(Into::into)
}

/// Runs the top level of the modules that a root imports, and returns the tool's `execute` if it is
/// a function.
pub(super) fn top_level<'js>(
    ctx: &Ctx<'js>,
    root: &str,
    time_limits: &TimeLimits,
) -> Result<Option<Function<'js>>, HandlerFault> {
    let broken = |error| fault_of(ctx, time_limits, error);
    let promise = Module::import(ctx, root).map_err(broken)?;
    while !time_limits.poll_wall_clock() && ctx.execute_pending_job() {}
    if let Some(stop) = time_limits.stopped() {
        return Err(stop.into());
    }
    let root = promise.result::<Object<'js>>();
    let root =
        root.ok_or_else(|| HandlerFault::error("Error", TOP_LEVEL_WAITS))?.map_err(broken)?;
    let entry: Object<'js> = root.get("tool").map_err(broken)?;
    let execute: JsValue<'js> = entry.get("execute").map_err(broken)?;
    Ok(execute.into_function())
}

fn hooks<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
    ctx.userdata::<Object<'js>>().map(|hooks| hooks.clone()).ok_or(Error::Unknown)
}

/// The fault for an error of the engine. Stopped code is not inspected.
fn fault_of(ctx: &Ctx<'_>, time_limits: &TimeLimits, error: Error) -> HandlerFault {
    if let Some(stop) = time_limits.stopped() {
        return stop.into();
    }
    match error {
        Error::Exception => describe(ctx, ctx.catch()).unwrap_or(HandlerFault::OutOfMemory),
        Error::Allocation => HandlerFault::OutOfMemory,
        error => HandlerFault::error("Error", error.to_string()),
    }
}

fn describe<'js>(ctx: &Ctx<'js>, thrown: JsValue<'js>) -> rquickjs::Result<HandlerFault> {
    let describe: Function<'js> = hooks(ctx)?.get("describe")?;
    let text: String = describe.call((thrown,))?;
    Ok(caught::fault_of(&text))
}
