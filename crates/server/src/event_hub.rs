//! Sends the events of a conversation to its subscribers, and events that matter to tool maintainers to the
//! log.

mod event_log;
mod log;
mod server_event;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

pub(crate) use self::event_log::{EventLog, EventsAfter};
pub(crate) use self::server_event::{EventContent, ServerEvent};
use crate::turn_traces::TurnTraces;
use aileron_capability::{Clock, SystemClock};
use aileron_contract::{ConversationId, UserId};
use aileron_orchestrator::{ConversationEvent, EventSource, Observer};
use futures_util::{Stream, stream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

type Subscribers = BTreeMap<ConversationId, Vec<UnboundedSender<ConversationEvent>>>;

/// The observer of all conversations: their subscribers, the newest events of all, and the course of the newest
/// turns.
#[derive(Debug)]
pub struct EventHub {
    clock: Arc<dyn Clock>,
    subscribers: Mutex<Subscribers>,
    log: EventLog,
    traces: TurnTraces,
}

impl Default for EventHub {
    fn default() -> Self {
        Self::new(Arc::new(SystemClock))
    }
}

/// The events of one conversation, from the subscription on. Calls are few and bounded by budgets, so no event
/// is ever dropped.
#[derive(Debug)]
pub struct Subscription {
    event_hub: Arc<EventHub>,
    conversation: ConversationId,
    events: UnboundedReceiver<ConversationEvent>,
}

impl EventHub {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let (subscribers, log) = (Mutex::default(), EventLog::default());
        Self { clock, subscribers, log, traces: TurnTraces::default() }
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now_ms()
    }

    /// The newest events of all conversations.
    pub(crate) fn log(&self) -> &EventLog {
        &self.log
    }

    /// The course of the newest turns.
    pub(crate) fn traces(&self) -> &TurnTraces {
        &self.traces
    }

    /// Adds an event to the log that no conversation published.
    pub(crate) fn publish(
        &self,
        conversation: Option<(ConversationId, Option<UserId>)>,
        content: EventContent,
    ) {
        let now = self.clock.now_ms();
        if self.log.keeps(now) {
            self.log.push(now, conversation, content);
        }
    }

    /// Announces a registry that new conversations use.
    pub fn registry_loaded(&self, version: &str) {
        self.publish(None, EventContent::RegistryLoaded { version: version.to_owned() });
    }

    /// Subscribes to a conversation until the subscription is dropped.
    pub fn subscribe(self: &Arc<Self>, conversation: &ConversationId) -> Subscription {
        let (sender, events) = unbounded_channel();
        self.lock().entry(conversation.clone()).or_default().push(sender);
        Subscription { event_hub: self.clone(), conversation: conversation.clone(), events }
    }

    fn lock(&self) -> MutexGuard<'_, Subscribers> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for EventHub {
    fn on_event(&self, source: EventSource<'_>, event: ConversationEvent) {
        let conversation = source.conversation;
        log::write(conversation, &event);
        let now = self.clock.now_ms();
        self.traces.on_event(conversation, &event, now);
        if self.log.keeps(now)
            && let Some(content) = EventContent::of(&event)
        {
            let about = (conversation.clone(), source.user.cloned());
            self.log.push(now, Some(about), content);
        }
        if let Some(watchers) = self.lock().get_mut(conversation) {
            watchers.retain(|watcher| watcher.send(event.clone()).is_ok());
        }
    }
}

impl Subscription {
    /// The next event.
    pub async fn next(&mut self) -> Option<ConversationEvent> {
        self.events.recv().await
    }

    /// All events, as they come.
    pub fn into_stream(self) -> impl Stream<Item = ConversationEvent> + Send + 'static {
        let next = |mut subscription: Self| async move {
            subscription.next().await.map(|event| (event, subscription))
        };
        stream::unfold(self, next)
    }

    /// The next event, as a poll function.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<ConversationEvent>> {
        self.events.poll_recv(cx)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.events.close();
        let mut watchers = self.event_hub.lock();
        if let Some(left) = watchers.get_mut(&self.conversation) {
            left.retain(|watcher| !watcher.is_closed());
            if left.is_empty() {
                watchers.remove(&self.conversation);
            }
        }
    }
}
