//! The context of a call, which a handler receives besides its arguments.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ErrorType, Mode, ToolResponse};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::announcement::Announcements;
use crate::clock::Clock;
use crate::http::{HttpRequest, HttpResponse};
use crate::images::ProgressSink;
use crate::outcome::ToolError;
use crate::{
    Calendar, Caller, Capability, CapabilityFault, ConversationAccess, FaultCode, Images, Kb,
    Platform,
};

/// The context of one call: the capabilities that its tool declares, and no others.
#[derive(Clone)]
pub struct Context(Arc<ContextInner>);

struct ContextInner {
    caller: Caller,
    declared: Arc<[Capability]>,
    platform: Arc<Platform>,
    conversation: Arc<dyn ConversationAccess>,
    clock: Arc<dyn Clock>,
    /// Milliseconds since the Unix epoch.
    deadline: u64,
    cancel: CancellationToken,
    user: Option<Arc<Value>>,
    depth: usize,
    announced: Announcements,
}

/// The parts of a context.
#[derive(Debug, Clone)]
pub struct ContextParts {
    pub caller: Caller,
    pub platform: Arc<Platform>,
    pub conversation: Arc<dyn ConversationAccess>,
    pub clock: Arc<dyn Clock>,
    /// Milliseconds since the Unix epoch.
    pub deadline: u64,
    pub cancel: CancellationToken,
    /// The person's data, as `context.user`.
    pub user: Option<Arc<Value>>,
    /// The nesting depth of this call: tools may call tools.
    pub depth: usize,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("tool", &self.0.caller.tool)
            .field("call_id", &self.0.caller.call_id)
            .finish_non_exhaustive()
    }
}

impl Context {
    pub fn new(declared: Arc<[Capability]>, parts: ContextParts) -> Self {
        let ContextParts { caller, platform, conversation, clock, deadline, cancel, user, depth } =
            parts;
        Self(Arc::new(ContextInner {
            caller,
            declared,
            platform,
            conversation,
            clock,
            deadline,
            cancel,
            user,
            depth,
            announced: Announcements::default(),
        }))
    }

    /// The caller, with its person and conversation.
    pub fn caller(&self) -> &Caller {
        &self.0.caller
    }

    /// The person's data.
    pub fn user(&self) -> Option<&Value> {
        self.0.user.as_deref()
    }

    /// The time, in milliseconds since the Unix epoch.
    pub fn now(&self) -> u64 {
        self.0.clock.now_ms()
    }

    /// When the call is stopped, in milliseconds since the Unix epoch.
    pub fn deadline(&self) -> u64 {
        self.0.deadline
    }

    /// Cancelled when no caller waits for the call.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.0.cancel
    }

    /// The nesting depth of this call.
    pub fn depth(&self) -> usize {
        self.0.depth
    }

    /// The id of the client. A conversation has one client, over any connection.
    pub fn client_id(&self) -> &str {
        self.0.caller.conversation.as_str()
    }

    /// The version of the toolset that the conversation began with.
    pub fn tools_version(&self) -> &str {
        self.0.conversation.tools_version()
    }

    /// A flag for each capability, by the name of the context's member: `true` if the tool declares it. `voice` says whether the conversation is in voice mode.
    pub fn capabilities(&self) -> BTreeMap<&'static str, bool> {
        let declares = |wanted: fn(&Capability) -> bool| self.0.declared.iter().any(wanted);
        let plain = Capability::PLAIN.map(|(name, it)| (name, self.0.declared.contains(&it)));
        let mut flags = BTreeMap::from(plain);
        flags.insert("http", declares(|it| matches!(it, Capability::Http(_))));
        flags.insert("secret", declares(|it| matches!(it, Capability::Secret(_))));
        flags.insert("voice", self.0.caller.mode == Mode::Voice);
        flags
    }

    /// Whether the session is still open.
    pub fn session_is_active(&self) -> bool {
        self.0.conversation.is_active()
    }

    /// Fails once the session has ended. `action` completes "cannot ...".
    pub fn require_active_session(&self, action: &str) -> Result<(), ToolError> {
        if self.session_is_active() {
            return Ok(());
        }
        let message = format!("cannot {action}: the session has ended");
        Err(ToolError::new(ErrorType::SessionInactive, message))
    }

    /// Reports the progress of the call to the person. Does not move the deadline.
    pub fn progress(&self, update: Value) {
        self.0.conversation.progress(&self.0.caller, update);
    }

    /// Shows a piece of the result to the person before the result is complete. The model receives
    /// the result alone. Bounded in size and rate: a piece beyond the bounds is not shown.
    pub fn partial(&self, data: Value) {
        self.0.conversation.partial(&self.0.caller, data);
    }

    /// The same progress report for an engine, with the remaining time.
    pub fn progress_sink(&self) -> ProgressSink {
        let context = self.clone();
        let left = self.0.deadline.saturating_sub(self.now());
        ProgressSink::to(move |update| context.progress(update)).within(Duration::from_millis(left))
    }

    /// The knowledge base.
    pub fn kb(&self) -> Result<&dyn Kb, CapabilityFault> {
        self.require(&Capability::Kb)?;
        self.0.platform.kb.as_deref().ok_or_else(|| absent("knowledge base"))
    }

    /// The calendar.
    pub fn calendar(&self) -> Result<&dyn Calendar, CapabilityFault> {
        self.require(&Capability::Calendar)?;
        self.0.platform.calendar.as_deref().ok_or_else(|| absent("calendar"))
    }

    /// The image engine.
    pub fn images(&self) -> Result<&dyn Images, CapabilityFault> {
        self.require(&Capability::Images)?;
        self.0.platform.images.as_deref().ok_or_else(|| absent("image engine"))
    }

    /// Whether a voice session is active.
    pub fn voice_is_active(&self) -> Result<bool, CapabilityFault> {
        self.require(&Capability::Voice)?;
        Ok(self.0.conversation.voice_is_active())
    }

    /// Shows a message to the person.
    pub async fn send(&self, message: Value) -> Result<(), CapabilityFault> {
        self.require(&Capability::Messaging)?;
        let announced = message.get("type").and_then(Value::as_str).map(str::to_owned);
        self.0.conversation.send(&self.0.caller, message).await?;
        self.0.announced.note(announced.as_deref().unwrap_or_default());
        Ok(())
    }

    /// The messages that announced an intent which the handler did not return.
    pub fn announcements(&self) -> &Announcements {
        &self.0.announced
    }

    /// Writes a note to the structured log.
    pub fn note(&self, event: &str, details: Value) -> Result<(), CapabilityFault> {
        self.require(&Capability::Audit)?;
        self.0.conversation.note(&self.0.caller, event, details);
        Ok(())
    }

    /// The documentation of another tool, if this conversation offers it; else the most similar
    /// names.
    pub fn documentation(
        &self,
        tool: &str,
    ) -> Result<Result<String, Vec<String>>, CapabilityFault> {
        self.require(&Capability::Tools)?;
        Ok(self.0.conversation.documentation(tool))
    }

    /// Calls another tool through the same policies.
    pub async fn call_tool(
        &self,
        tool: &str,
        args: Value,
    ) -> Result<ToolResponse, CapabilityFault> {
        self.require(&Capability::Tools)?;
        Ok(self.0.conversation.call_tool(&self.0.caller, tool.to_owned(), args).await)
    }

    /// Sends a request to one of the declared hosts.
    pub async fn fetch(&self, request: HttpRequest) -> Result<HttpResponse, CapabilityFault> {
        let hosts: Vec<String> = self.0.declared.iter().filter_map(host).collect();
        if hosts.is_empty() {
            return Err(undeclared("http:<host>"));
        }
        let http = self.0.platform.http.as_ref().ok_or_else(|| absent("HTTP client"))?;
        let left = self.0.deadline.saturating_sub(self.now());
        let timeout_ms = Some(http.timeout_ms(request.timeout_ms).min(left));
        Ok(http.fetch(&hosts, HttpRequest { timeout_ms, ..request }).await?)
    }

    /// The value of a declared secret.
    pub fn secret(&self, name: &str) -> Result<String, CapabilityFault> {
        self.require(&Capability::Secret(name.to_owned()))?;
        let platform = &self.0.platform;
        let value = platform.secrets.as_ref().and_then(|secrets| secrets.secret(name));
        let value = value.ok_or_else(|| unset(name))?;
        platform.masks.add(name, &value);
        Ok(value)
    }

    /// The conversation's state.
    pub fn session_state(&self) -> Value {
        self.0.conversation.state()
    }

    pub fn conversation(&self) -> &dyn ConversationAccess {
        &*self.0.conversation
    }

    fn require(&self, capability: &Capability) -> Result<(), CapabilityFault> {
        if self.0.declared.contains(capability) {
            return Ok(());
        }
        Err(undeclared(&capability.to_string()))
    }
}

fn host(capability: &Capability) -> Option<String> {
    match capability {
        Capability::Http(host) => Some(host.clone()),
        _ => None,
    }
}

fn undeclared(name: &str) -> CapabilityFault {
    let message = format!("the tool does not declare the capability `{name}`");
    CapabilityFault::diagnosis(FaultCode::Refused, message)
}

fn absent(engine: &str) -> CapabilityFault {
    CapabilityFault::diagnosis(FaultCode::Unavailable, format!("no {engine} is configured"))
}

fn unset(name: &str) -> CapabilityFault {
    let message = format!(
        "the secret `{name}` is not set; set the environment variable `{name}` where aileron is started"
    );
    CapabilityFault::diagnosis(FaultCode::Unavailable, message)
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod tests;
