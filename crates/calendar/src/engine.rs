//! The engine behind the `calendar` capability: drafts, links, and the rule that one draft makes
//! one event. The id of the event is bound to its draft before anything is asked of the backend,
//! so that whoever comes after a crash or a lost answer looks for the same event.

mod order;

use std::sync::Arc;

use aileron_contract::ContentHash;
use aileron_runtime::Clock;
use aileron_runtime::capability::calendar::{
    Availability, CreateEvent, DraftRequest, Event, FreeBusyRequest, Invitations, Preferences,
    SaveDrafts,
};
use aileron_runtime::capability::{Answer, Calendar, Caller, Fault, FaultCode};
use futures_util::FutureExt;
use serde_json::{Value, json};

use self::order::Order;
use crate::backend::{Backend, Commit, Found, PersonBusy};
use crate::drafts::{Drafts, Known};
use crate::link::Link;
use crate::window::Window;

const NO_DRAFT: &str = "there is no such draft";
const EXPIRED: &str = "the draft has expired";
const PASSED: &str = "the time of this draft has passed";

/// A calendar over any backend.
#[derive(Debug, Clone)]
pub struct CalendarEngine {
    backend: Arc<dyn Backend>,
    drafts: Drafts,
    link: Link,
    preferences: Preferences,
    clock: Arc<dyn Clock>,
}

impl CalendarEngine {
    /// A calendar that keeps drafts in a file of its own.
    pub fn new(
        backend: Arc<dyn Backend>,
        drafts: Drafts,
        link: Link,
        preferences: Preferences,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { backend, drafts, link, preferences, clock }
    }

    fn now_ms(&self) -> i64 {
        i64::try_from(self.clock.now_ms()).unwrap_or(i64::MAX)
    }

    async fn create(self, conversation: String, id: String, key: String) -> Result<Event, Fault> {
        let uid = uid(&conversation, &key);
        let known = self.drafts.claim(conversation, id, uid).await?;
        let known = known.ok_or_else(|| refused(NO_DRAFT))?;
        if let Some(event) = known.event {
            return Ok(Event { existed: true, ..event });
        }
        let uid = known.uid.clone().unwrap_or_default();
        if let Some(found) = self.backend.find(uid.clone()).await? {
            return self.settled(uid, found, true).await;
        }
        let order = Order::read(&known.content, uid.clone(), &self.preferences, self.now_ms())?;
        self.require_open(&known, &order)?;
        if let Err(taken) = self.require_free(&order).await {
            // Another attempt with the same draft may be who took the time.
            return match self.backend.find(uid.clone()).await? {
                Some(found) => self.settled(uid, found, true).await,
                None => Err(taken),
            };
        }
        let join_url = self.link.make(&order.event, known.link.as_deref(), &self.drafts).await?;
        let made = order.event.clone().with_link(join_url.clone());
        match self.backend.commit(made, order.must_be_free.clone()).await? {
            Commit::Made(found) => self.settled(uid, found, false).await,
            Commit::Existed(found) => self.settled(uid, found, true).await,
            Commit::Taken(count) => {
                self.link.withdraw(&uid, join_url.as_deref(), &self.drafts).await;
                Err(taken(count))
            }
        }
    }

    /// What an earlier attempt did not make is made only while the draft is good.
    fn require_open(&self, known: &Known, order: &Order) -> Result<(), Fault> {
        let now = self.now_ms();
        if known.expires_ms <= now {
            return Err(refused(EXPIRED));
        }
        match order.event.window.start.as_millisecond() <= now {
            true => Err(Fault::new(FaultCode::Conflict, PASSED)),
            false => Ok(()),
        }
    }

    async fn require_free(&self, order: &Order) -> Result<(), Fault> {
        let people = order.must_be_free.clone();
        let known = self.backend.busy(people, order.event.window).await?;
        match known.iter().filter(|person| !person.busy.is_empty()).count() {
            0 => Ok(()),
            count => Err(taken(count)),
        }
    }

    /// The event is there. Whether it can be remembered does not change that.
    async fn settled(&self, uid: String, found: Found, existed: bool) -> Result<Event, Fault> {
        let Found { url, join_url } = found;
        let event = Event { id: uid.clone(), url, join_url, existed };
        let _ = self.drafts.note_event(uid, event.clone()).await;
        Ok(event)
    }
}

impl Calendar for CalendarEngine {
    fn free_busy(&self, _: &Caller, request: FreeBusyRequest) -> Answer<Vec<Availability>> {
        let backend = self.backend.clone();
        async move {
            let window = Window::read(&request.start, &request.end)?;
            let people = request.attendees.iter().map(|email| email.to_lowercase()).collect();
            let known = backend.busy(people, window).await?;
            Ok(request.attendees.into_iter().zip(known).map(availability).collect())
        }
        .boxed()
    }

    fn save_drafts(&self, caller: &Caller, request: SaveDrafts) -> Answer<()> {
        let (engine, conversation) = (self.clone(), caller.conversation.to_string());
        async move {
            let now = engine.now_ms();
            let kept = request.drafts.iter().map(|draft| order::kept(draft, now));
            let kept = kept.collect::<Result<Vec<_>, _>>()?;
            engine.drafts.keep(conversation, kept, now).await
        }
        .boxed()
    }

    fn draft(&self, caller: &Caller, request: DraftRequest) -> Answer<Option<Value>> {
        let (engine, conversation) = (self.clone(), caller.conversation.to_string());
        async move {
            let known = engine.drafts.find(conversation, request.id).await?;
            let now = engine.now_ms();
            let open = known.filter(|known| known.uid.is_some() || known.expires_ms > now);
            open.map(shown).transpose()
        }
        .boxed()
    }

    fn create_event(&self, caller: &Caller, request: CreateEvent) -> Answer<Event> {
        let conversation = caller.conversation.to_string();
        let id = request.draft.get("id").and_then(Value::as_str).map(str::to_owned);
        let Some(id) = id else {
            return std::future::ready(Err(refused("expected a draft with an `id`"))).boxed();
        };
        self.clone().create(conversation, id, request.idempotency_key).boxed()
    }

    fn invitations(&self) -> Invitations {
        self.backend.invitations()
    }

    fn preferences(&self) -> Preferences {
        self.preferences.clone()
    }
}

/// The id that the same request of the same conversation gets again.
fn uid(conversation: &str, key: &str) -> String {
    let hash = ContentHash::of_value(&json!([conversation, key]));
    format!("aileron-{}", hash.as_str().get(..32).unwrap_or_default())
}

fn availability((email, known): (String, PersonBusy)) -> Availability {
    let busy = known.busy.iter().map(Window::span).collect();
    Availability { email, readable: known.readable, busy }
}

/// The draft with the event it became, or was about to become.
fn shown(known: Known) -> Result<Value, Fault> {
    let unreadable = |error: serde_json::Error| {
        Fault::new(FaultCode::Unavailable, format!("a draft cannot be read: {error}"))
    };
    let mut draft: Value = serde_json::from_str(&known.content).map_err(unreadable)?;
    if let (Value::Object(members), Some(uid)) = (&mut draft, known.uid) {
        members.insert("event_id".to_owned(), uid.into());
    }
    Ok(draft)
}

fn taken(count: usize) -> Fault {
    let message = format!("{count} of the attendees became busy at that time");
    Fault::new(FaultCode::Conflict, message)
}

fn refused(message: &str) -> Fault {
    Fault::new(FaultCode::Refused, message)
}
