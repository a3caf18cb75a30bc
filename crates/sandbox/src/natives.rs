//! The functions that the modules of the sandbox call. A tool never sees them.

use aileron_capability::foreign::{HandlerFault, LogLevel};
use std::sync::Arc;

use rquickjs::function::IntoJsFunc;
use rquickjs::{Ctx, Error, Function, Object, Result};
use serde_json::json;

use super::caught;
use super::host_bridge::HostBridge;
use super::normalize::{compared, normalized};

/// An object with all these functions.
pub(crate) fn natives<'js>(ctx: &Ctx<'js>, host_bridge: &Arc<HostBridge>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    add_requests(&object, host_bridge)?;
    add_surface(&object, host_bridge)?;
    add_outcomes(&object, host_bridge)?;
    add_texts(&object, host_bridge)?;
    Ok(object)
}

fn add_requests(object: &Object<'_>, host_bridge: &Arc<HostBridge>) -> Result<()> {
    let at = host_bridge.clone();
    set(object, "request", move |capability: String, method: String, args: String| {
        let asked = at.request((&capability, &method), &args);
        asked.map_or_else(|fault| json!({ "fault": fault }), |id| json!(id)).to_string()
    })?;
    let at = host_bridge.clone();
    set(object, "requestSync", move |capability: String, method: String, args: String| {
        let answer = at.request_sync((&capability, &method), &args);
        let fault = |fault| json!({ "fault": fault });
        answer.map_or_else(fault, |value| json!({ "value": value })).to_string()
    })
}

fn add_surface(object: &Object<'_>, host_bridge: &Arc<HostBridge>) -> Result<()> {
    let at = host_bridge.clone();
    set(object, "now", move || at.now_ms() as f64)?;
    let at = host_bridge.clone();
    set(object, "random", move || at.random())?;
    let at = host_bridge.clone();
    set(object, "stopped", move || at.is_stopped())?;
    let at = host_bridge.clone();
    set(object, "progress", move |update: String| at.progress(&update))?;
    let at = host_bridge.clone();
    set(object, "partial", move |data: String| at.partial(&data))?;
    let at = host_bridge.clone();
    set(object, "log", move |level: String, text: String| {
        at.log(LogLevel::of_method(&level), &text);
    })
}

/// A text that cannot be copied out of the sandbox means that its memory is exhausted.
fn add_outcomes(object: &Object<'_>, host_bridge: &Arc<HostBridge>) -> Result<()> {
    let at = host_bridge.clone();
    set(object, "done", move |text: rquickjs::String<'_>| match text.to_string() {
        Ok(text) => at.returned(&text),
        Err(_) => at.end(Err(HandlerFault::OutOfMemory)),
    })?;
    let at = host_bridge.clone();
    set(object, "failed", move |text: rquickjs::String<'_>| {
        let fault = text.to_string().map(|text| caught::fault_of(&text));
        at.end(Err(fault.unwrap_or(HandlerFault::OutOfMemory)));
    })?;
    let at = host_bridge.clone();
    set(object, "unreadable", move |why: String| at.end(Err(HandlerFault::BadResult(why))))?;
    let at = host_bridge.clone();
    set(object, "speechless", move || at.end(Err(HandlerFault::OutOfMemory)))
}

/// Functions that are too slow in the engine. The memory limit of the sandbox applies to their
/// results too.
fn add_texts(object: &Object<'_>, host_bridge: &Arc<HostBridge>) -> Result<()> {
    let longest = host_bridge.memory_bytes();
    set(object, "normalize", move |text: String, form: String| {
        normalized(&text, &form, longest).ok_or(Error::Allocation)
    })?;
    set(object, "compare", |one: String, other: String| compared(&one, &other))
}

fn set<'js, P, F: IntoJsFunc<'js, P> + 'js>(object: &Object<'js>, name: &str, f: F) -> Result<()> {
    object.set(name, Function::new(object.ctx().clone(), f)?)
}
