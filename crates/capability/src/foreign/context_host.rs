//! Serves the requests of a handler from the context of its call.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::ending::EffectCount;
use super::host::{Host, HostFault, LogLevel};
use super::records;
use crate::Context;
use crate::conversation::Level;
use crate::http::HttpRequest;
use crate::{Answer, CapabilityFault, FaultCode};

/// A context as the host of a handler.
#[derive(Debug)]
pub struct ContextHost {
    context: Context,
    /// Number of side effects that the handler caused or may have caused.
    effects: Arc<AtomicUsize>,
}

type Reply = BoxFuture<'static, Result<Value, HostFault>>;

impl ContextHost {
    pub fn new(context: Context) -> Self {
        Self { context, effects: Arc::default() }
    }

    /// Number of side effects that the handler caused or may have caused.
    pub fn effects(&self) -> EffectCount {
        EffectCount(self.effects.clone())
    }
}

impl Host for ContextHost {
    fn call(&self, capability: &str, method: &str, args: Vec<Value>) -> Reply {
        let acts = acts(capability, method, &args);
        let asked = self.dispatch(capability, method, args);
        match asked {
            Ok(reply) if acts => self.noting(reply),
            Ok(reply) => reply,
            Err(fault) => failed(host_fault(fault)),
        }
    }

    /// Calls of other tools and of other machines are not prompt, and must not compute on the
    /// engine's thread.
    fn is_prompt(&self, capability: &str) -> bool {
        matches!(capability, "kb" | "calendar" | "images" | "messaging")
    }

    fn call_sync(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, HostFault> {
        self.dispatch_sync(capability, method, args).map_err(host_fault)
    }

    fn now_ms(&self) -> u64 {
        self.context.now()
    }

    fn log(&self, level: LogLevel, text: &str) {
        let level = match level {
            LogLevel::Debug => Level::Debug,
            LogLevel::Log | LogLevel::Info => Level::Info,
            LogLevel::Warn => Level::Warn,
            LogLevel::Error => Level::Error,
        };
        self.context.conversation().log(self.context.caller(), level, text);
    }

    fn progress(&self, update: Value) {
        self.context.progress(update);
    }

    fn partial(&self, data: Value) {
        self.context.partial(data);
    }
}

impl ContextHost {
    /// The same reply, counted as a side effect from its start until a fault rules that out.
    fn noting(&self, reply: Reply) -> Reply {
        let effects = self.effects.clone();
        effects.fetch_add(1, Ordering::AcqRel);
        async move {
            let answer = reply.await;
            if answer.as_ref().is_err_and(|fault| !may_have_happened(fault)) {
                effects.fetch_sub(1, Ordering::AcqRel);
            }
            answer
        }
        .boxed()
    }

    fn dispatch(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Reply, CapabilityFault> {
        let context = &self.context;
        let caller = context.caller();
        Ok(match (capability, method) {
            ("kb", "search") => {
                let found = context.kb()?.search(caller, request(args)?);
                reply(found.map_ok(records::hits).boxed())
            }
            ("kb", "get") => {
                let fetched = context.kb()?.get(caller, request(args)?);
                reply(fetched.map_ok(records::records).boxed())
            }
            ("calendar", "freeBusy") => {
                reply(context.calendar()?.free_busy(caller, request(args)?))
            }
            ("calendar", "saveDrafts") => {
                reply(context.calendar()?.save_drafts(caller, request(args)?))
            }
            ("calendar", "getDraft") => reply(context.calendar()?.draft(caller, request(args)?)),
            ("calendar", "createEvent") => {
                reply(context.calendar()?.create_event(caller, request(args)?))
            }
            ("images", "generate") => {
                let progress = context.progress_sink();
                reply(context.images()?.generate(caller, request(args)?, progress))
            }
            ("images", "look") => reply(context.images()?.look(caller, request(args)?)),
            ("images", "get") => reply(context.images()?.get(caller, request(args)?)),
            ("messaging", "send") => {
                let (context, message) = (context.clone(), first(args));
                reply(async move { context.send(message).await }.boxed())
            }
            ("tools", "call") => self.call_tool(args)?,
            ("http", "fetch") => {
                let (context, request) = (context.clone(), http_request(args)?);
                reply(async move { context.fetch(request).await }.boxed())
            }
            _ => return Err(unknown(capability, method)),
        })
    }

    fn call_tool(&self, args: Vec<Value>) -> Result<Reply, CapabilityFault> {
        let mut args = args.into_iter();
        let tool: String = read(args.next().unwrap_or_default())?;
        let arguments = args.next().unwrap_or_else(|| json!({}));
        let context = self.context.clone();
        Ok(reply(async move { context.call_tool(&tool, arguments).await }.boxed()))
    }

    fn dispatch_sync(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, CapabilityFault> {
        match (capability, method) {
            ("voice", "isActive") => self.context.voice_is_active().map(Value::Bool),
            ("voice", "endSession") => {
                Ok(json!({ "type": "END_VOICE_SESSION", "after": "current_turn" }))
            }
            ("audio", "suppress") => {
                let value: bool = read(first(args))?;
                Ok(json!({ "type": "SUPPRESS_AUDIO", "value": value }))
            }
            ("audit", "log") => {
                let mut args = args.into_iter();
                let event: String = read(args.next().unwrap_or_default())?;
                self.context.note(&event, args.next().unwrap_or_default())?;
                Ok(Value::Null)
            }
            ("secret", "get") => {
                let name: String = read(first(args))?;
                self.context.secret(&name).map(Value::String)
            }
            _ => Err(unknown(capability, method)),
        }
    }
}

/// Whether a method has side effects.
fn acts(capability: &str, method: &str, args: &[Value]) -> bool {
    match (capability, method) {
        ("calendar", "saveDrafts" | "createEvent")
        | ("images", "generate")
        | ("messaging", "send")
        | ("tools", "call") => true,
        ("http", "fetch") => !args.iter().find(|arg| arg.is_object()).is_none_or(reads),
        _ => false,
    }
}

/// Whether an HTTP request only reads: its method is safe or absent.
fn reads(request: &Value) -> bool {
    let method = request.get("method").and_then(Value::as_str).unwrap_or("GET");
    ["GET", "HEAD", "OPTIONS"].iter().any(|it| method.eq_ignore_ascii_case(it))
}

/// Whether a failed request may have had its effect.
fn may_have_happened(fault: &HostFault) -> bool {
    let code = FaultCode::named(&fault.code);
    matches!(code, None | Some(FaultCode::Timeout | FaultCode::Unusable))
}

fn first(args: Vec<Value>) -> Value {
    args.into_iter().next().unwrap_or_default()
}

fn request<T: DeserializeOwned>(args: Vec<Value>) -> Result<T, CapabilityFault> {
    read(first(args))
}

/// `fetch({ url, ... })`, or `fetch(url, { ... })` as browsers have it.
fn http_request(args: Vec<Value>) -> Result<HttpRequest, CapabilityFault> {
    let mut args = args.into_iter();
    let (first, options) = (args.next().unwrap_or_default(), args.next());
    if !first.is_string() {
        return read(first);
    }
    let mut request = options.unwrap_or_else(|| json!({}));
    if let Value::Object(members) = &mut request {
        members.insert("url".to_owned(), first);
    }
    read(request)
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, CapabilityFault> {
    serde_json::from_value(value).map_err(|error| {
        CapabilityFault::new(FaultCode::Refused, format!("the request cannot be read: {error}"))
    })
}

fn unknown(capability: &str, method: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Refused, format!("there is no method `{capability}.{method}`"))
}

fn reply<T: Serialize + 'static>(answer: Answer<T>) -> Reply {
    let unreadable = |error: serde_json::Error| HostFault {
        code: FaultCode::Unavailable.as_str().to_owned(),
        message: format!("the answer cannot be written: {error}"),
        is_diagnosis: true,
    };
    async move {
        let value = answer.await.map_err(host_fault)?;
        serde_json::to_value(value).map_err(unreadable)
    }
    .boxed()
}

fn failed(fault: HostFault) -> Reply {
    std::future::ready(Err(fault)).boxed()
}

fn host_fault(fault: CapabilityFault) -> HostFault {
    let message = match fault.left_behind {
        Some(left) => format!("{}; {left}", fault.message),
        None => fault.message,
    };
    let code = fault.code.as_str().to_owned();
    HostFault { code, message, is_diagnosis: fault.is_diagnosis }
}

#[cfg(test)]
#[path = "context_host_tests.rs"]
mod tests;
