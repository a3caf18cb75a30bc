//! Answers what a sandbox asks for, from the context of its call.

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::records;
use crate::capability::conversation::Level;
use crate::capability::{Answer, Fault, FaultCode};
use crate::context::Context;
use crate::http::HttpRequest;
use crate::js::{Host, HostFault, LogLevel};

/// A context as the sandbox's host.
pub(crate) struct ContextHost(pub(crate) Context);

type Reply = BoxFuture<'static, Result<Value, HostFault>>;

impl Host for ContextHost {
    fn call(&self, capability: &str, method: &str, args: Vec<Value>) -> Reply {
        let asked = self.dispatch(capability, method, args);
        asked.unwrap_or_else(|fault| failed(host_fault(fault)))
    }

    /// Other tools and other machines take their time, and what a tool computes is not the sandbox's to run.
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
        self.0.now()
    }

    fn log(&self, level: LogLevel, text: &str) {
        let level = match level {
            LogLevel::Debug => Level::Debug,
            LogLevel::Log | LogLevel::Info => Level::Info,
            LogLevel::Warn => Level::Warn,
            LogLevel::Error => Level::Error,
        };
        self.0.conversation().log(self.0.caller(), level, text);
    }

    fn progress(&self, update: Value) {
        self.0.progress(update);
    }
}

impl ContextHost {
    fn dispatch(&self, capability: &str, method: &str, args: Vec<Value>) -> Result<Reply, Fault> {
        let context = &self.0;
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

    fn call_tool(&self, args: Vec<Value>) -> Result<Reply, Fault> {
        let mut args = args.into_iter();
        let tool: String = read(args.next().unwrap_or_default())?;
        let arguments = args.next().unwrap_or_else(|| json!({}));
        let context = self.0.clone();
        Ok(reply(async move { context.call_tool(&tool, arguments).await }.boxed()))
    }

    fn dispatch_sync(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, Fault> {
        match (capability, method) {
            ("voice", "isActive") => self.0.voice_is_active().map(Value::Bool),
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
                self.0.note(&event, args.next().unwrap_or_default())?;
                Ok(Value::Null)
            }
            ("secret", "get") => {
                let name: String = read(first(args))?;
                self.0.secret(&name).map(Value::String)
            }
            _ => Err(unknown(capability, method)),
        }
    }
}

fn first(args: Vec<Value>) -> Value {
    args.into_iter().next().unwrap_or_default()
}

fn request<T: DeserializeOwned>(args: Vec<Value>) -> Result<T, Fault> {
    read(first(args))
}

/// `fetch({ url, ... })`, or `fetch(url, { ... })` as browsers have it.
fn http_request(args: Vec<Value>) -> Result<HttpRequest, Fault> {
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

fn read<T: DeserializeOwned>(value: Value) -> Result<T, Fault> {
    serde_json::from_value(value).map_err(|error| {
        Fault::new(FaultCode::Refused, format!("the request cannot be read: {error}"))
    })
}

fn unknown(capability: &str, method: &str) -> Fault {
    Fault::new(FaultCode::Refused, format!("there is no method `{capability}.{method}`"))
}

fn reply<T: Serialize + 'static>(answer: Answer<T>) -> Reply {
    let unreadable = |error: serde_json::Error| HostFault {
        code: FaultCode::Unavailable.as_str().to_owned(),
        message: format!("the answer cannot be written: {error}"),
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

fn host_fault(fault: Fault) -> HostFault {
    HostFault { code: fault.code.as_str().to_owned(), message: fault.message }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
