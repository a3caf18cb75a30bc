//! Sends the events of a conversation to its subscribers, and events that matter to tool maintainers to the
//! log.

mod log;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use aileron_contract::ConversationId;
use aileron_orchestrator::{ConversationEvent, Observer};
use futures_util::{Stream, stream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

type Subscribers = BTreeMap<ConversationId, Vec<UnboundedSender<ConversationEvent>>>;

/// The observer of all conversations.
#[derive(Debug, Default)]
pub struct EventHub(Mutex<Subscribers>);

/// The events of one conversation, from the subscription on. Calls are few and bounded by budgets, so no event
/// is ever dropped.
#[derive(Debug)]
pub struct Subscription {
    event_hub: Arc<EventHub>,
    conversation: ConversationId,
    events: UnboundedReceiver<ConversationEvent>,
}

impl EventHub {
    /// Subscribes to a conversation until the subscription is dropped.
    pub fn subscribe(self: &Arc<Self>, conversation: &ConversationId) -> Subscription {
        let (sender, events) = unbounded_channel();
        self.lock().entry(conversation.clone()).or_default().push(sender);
        Subscription { event_hub: self.clone(), conversation: conversation.clone(), events }
    }

    fn lock(&self) -> MutexGuard<'_, Subscribers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for EventHub {
    fn on_event(&self, conversation: &ConversationId, event: ConversationEvent) {
        log::write(conversation, &event);
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
