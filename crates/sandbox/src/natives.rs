//! The functions that the modules of the sandbox call. A tool never sees them.

use std::sync::Arc;

use rquickjs::function::IntoJsFunc;
use rquickjs::{Ctx, Error, Function, Object, Result};
use serde_json::json;

use super::caught;
use super::desk::Desk;
use super::fault::Fault;
use super::host::LogLevel;
use super::normalize::{compared, normalized};

/// An object with all of them.
pub(crate) fn natives<'js>(ctx: &Ctx<'js>, desk: &Arc<Desk>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    add_requests(&object, desk)?;
    add_surface(&object, desk)?;
    add_outcomes(&object, desk)?;
    add_texts(&object, desk)?;
    Ok(object)
}

fn add_requests(object: &Object<'_>, desk: &Arc<Desk>) -> Result<()> {
    let at = desk.clone();
    set(object, "request", move |capability: String, method: String, args: String| {
        let asked = at.request((&capability, &method), &args);
        asked.map_or_else(|fault| json!({ "fault": fault }), |id| json!(id)).to_string()
    })?;
    let at = desk.clone();
    set(object, "requestSync", move |capability: String, method: String, args: String| {
        let answer = at.request_sync((&capability, &method), &args);
        let fault = |fault| json!({ "fault": fault });
        answer.map_or_else(fault, |value| json!({ "value": value })).to_string()
    })
}

fn add_surface(object: &Object<'_>, desk: &Arc<Desk>) -> Result<()> {
    let at = desk.clone();
    set(object, "now", move || at.now_ms() as f64)?;
    let at = desk.clone();
    set(object, "random", move || at.random())?;
    let at = desk.clone();
    set(object, "stopped", move || at.is_stopped())?;
    let at = desk.clone();
    set(object, "progress", move |update: String| at.progress(&update))?;
    let at = desk.clone();
    set(object, "log", move |level: String, text: String| {
        at.log(LogLevel::of_method(&level), &text);
    })
}

/// A text that does not even fit into memory to be handed over means that there is none left.
fn add_outcomes(object: &Object<'_>, desk: &Arc<Desk>) -> Result<()> {
    let at = desk.clone();
    set(object, "done", move |text: rquickjs::String<'_>| match text.to_string() {
        Ok(text) => at.returned(&text),
        Err(_) => at.end(Err(Fault::OutOfMemory)),
    })?;
    let at = desk.clone();
    set(object, "failed", move |text: rquickjs::String<'_>| {
        let fault = text.to_string().map(|text| caught::fault_of(&text));
        at.end(Err(fault.unwrap_or(Fault::OutOfMemory)));
    })?;
    let at = desk.clone();
    set(object, "unreadable", move |why: String| at.end(Err(Fault::BadResult(why))))?;
    let at = desk.clone();
    set(object, "speechless", move || at.end(Err(Fault::OutOfMemory)))
}

/// What the engine takes too long for. The memory limit of the sandbox holds for the result as well.
fn add_texts(object: &Object<'_>, desk: &Arc<Desk>) -> Result<()> {
    let longest = desk.memory_bytes();
    set(object, "normalize", move |text: String, form: String| {
        normalized(&text, &form, longest).ok_or(Error::Allocation)
    })?;
    set(object, "compare", |one: String, other: String| compared(&one, &other))
}

fn set<'js, P, F: IntoJsFunc<'js, P> + 'js>(object: &Object<'js>, name: &str, f: F) -> Result<()> {
    object.set(name, Function::new(object.ctx().clone(), f)?)
}
