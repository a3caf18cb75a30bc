//! The environment of test handlers: it records their effects and has a gate at which they wait.
//! Handlers are plain functions, so each finds its environment by the conversation's id.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aileron_capability::{Context, Native, ToolResult, success};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::stage::{native, spec};

static GROUNDS: Mutex<BTreeMap<String, Arc<Ground>>> = Mutex::new(BTreeMap::new());

/// The effects of one conversation's handlers, and the gate they wait at.
#[derive(Debug)]
pub(crate) struct Ground {
    effects: Mutex<Vec<String>>,
    /// Has a permit for every handler that began to wait.
    pub(crate) arrived: Semaphore,
    /// A handler that waits takes a permit and goes on.
    pub(crate) gate: Semaphore,
    writing: AtomicUsize,
    overlaps: AtomicUsize,
}

impl Ground {
    /// The environment of a conversation.
    pub(crate) fn of(conversation: &str) -> Arc<Self> {
        let new = || {
            Arc::new(Self {
                effects: Mutex::default(),
                arrived: Semaphore::new(0),
                gate: Semaphore::new(0),
                writing: AtomicUsize::new(0),
                overlaps: AtomicUsize::new(0),
            })
        };
        GROUNDS.lock().unwrap().entry(conversation.to_owned()).or_insert_with(new).clone()
    }

    fn under(context: &Context) -> Arc<Self> {
        Self::of(context.caller().conversation.as_str())
    }

    /// The idempotency keys of all side effects, in order.
    pub(crate) fn effects(&self) -> Vec<String> {
        self.effects.lock().unwrap().clone()
    }

    /// How often a write began while another one ran.
    pub(crate) fn overlaps(&self) -> usize {
        self.overlaps.load(Ordering::SeqCst)
    }

    /// Waits until a handler has come to the gate.
    pub(crate) async fn arrival(&self) {
        self.arrived.acquire().await.unwrap().forget();
    }

    pub(crate) fn open_gate(&self, handlers: usize) {
        self.gate.add_permits(handlers);
    }

    fn act(&self, context: &Context) {
        self.effects.lock().unwrap().push(context.caller().idempotency_key.to_string());
    }
}

/// A tool that only reads.
pub(crate) fn look(tool: &'static str, more: Value) -> (Value, Native) {
    (spec(tool, more), native(tool, |args, _| Box::pin(async move { success((*args).clone()) })))
}

/// A tool that writes at once.
pub(crate) fn act(tool: &'static str, more: Value) -> (Value, Native) {
    (spec(tool, writing(more)), native(tool, |args, context| Box::pin(at_once(args, context))))
}

/// A tool that writes once the gate is open.
pub(crate) fn wait(tool: &'static str, more: Value) -> (Value, Native) {
    (spec(tool, writing(more)), native(tool, behind_the_gate))
}

/// A tool that writes after the person approves.
pub(crate) fn ask(tool: &'static str) -> (Value, Native) {
    act(tool, json!({ "requiresConfirmation": true }))
}

fn writing(more: Value) -> Value {
    let mut spec = json!({ "sideEffects": "writes" });
    let members = more.as_object().unwrap().clone();
    spec.as_object_mut().unwrap().extend(members);
    spec
}

/// Yields in the middle, often enough that another write would start if it were allowed.
async fn at_once(args: Arc<Value>, context: Context) -> ToolResult {
    let ground = Ground::under(&context);
    let others = ground.writing.fetch_add(1, Ordering::SeqCst);
    ground.overlaps.fetch_add(others, Ordering::SeqCst);
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
    ground.act(&context);
    ground.writing.fetch_sub(1, Ordering::SeqCst);
    success(Arc::unwrap_or_clone(args))
}

fn behind_the_gate(args: Arc<Value>, context: Context) -> BoxFuture<'static, ToolResult> {
    Box::pin(async move {
        let ground = Ground::under(&context);
        ground.arrived.add_permits(1);
        ground.gate.acquire().await.unwrap().forget();
        ground.act(&context);
        success(Arc::unwrap_or_clone(args))
    })
}
