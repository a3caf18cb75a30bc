//! The engine behind the `calendar` capability: drafts, links, and the rule that one draft makes
//! one event. The id of the event is bound to its draft before anything is asked of the backend, so
//! that an attempt after a crash or a lost answer looks for the same event.

mod order;

use std::sync::Arc;
use std::time::Duration;

use aileron_capability::Clock;
use aileron_capability::calendar::{
    Availability, CreateEvent, CreatedEvent, DraftRequest, FreeBusyRequest, Invitations,
    Preferences, SaveDrafts,
};
use aileron_capability::{Answer, Calendar, Caller, CapabilityFault, FaultCode};
use aileron_contract::ContentHash;
use futures_util::FutureExt;
use serde_json::{Value, json};

use self::order::EventRequest;
use crate::backend::{Backend, Commit, PersonBusy, StoredEvent};
use crate::draft_locks::DraftLocks;
use crate::drafts::{ClaimedDraft, Drafts, EventAsMade, EventAttempt, StoredDraft};
use crate::link::{self, LinkSource};
use crate::window::TimeWindow;

const NO_DRAFT: &str = "there is no such draft";
const EXPIRED: &str = "the draft has expired";
const DELETED: &str = "its event is no longer in the calendar, and the draft has expired";
const PASSED: &str = "the time of this draft has passed";
const SLOW: &str = "the calendar is slow: it did not return the busy times within";
const NOTHING: &str = "nothing was created";

/// Total time limit of all requests before an event is created.
const LOOKING: Duration = Duration::from_secs(20);

/// A calendar over any backend.
#[derive(Debug, Clone)]
pub struct CalendarEngine {
    backend: Arc<dyn Backend>,
    drafts: Drafts,
    turns: DraftLocks,
    link: LinkSource,
    preferences: Preferences,
    clock: Arc<dyn Clock>,
}

impl CalendarEngine {
    /// A calendar that stores its drafts in this file.
    pub fn new(
        backend: Arc<dyn Backend>,
        drafts: Drafts,
        link: LinkSource,
        preferences: Preferences,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { backend, drafts, turns: DraftLocks::default(), link, preferences, clock }
    }

    fn now_ms(&self) -> i64 {
        i64::try_from(self.clock.now_ms()).unwrap_or(i64::MAX)
    }

    async fn create(
        self,
        conversation: String,
        id: String,
        key: String,
    ) -> Result<CreatedEvent, CapabilityFault> {
        let _turn = self.turns.take((conversation.clone(), id.clone())).await;
        let uid = uid(&conversation, &key);
        let claim = self.drafts.claim(conversation, id, uid).await?;
        let claim = claim.ok_or_else(|| refused(NO_DRAFT))?;
        let looked = tokio::time::timeout(LOOKING, self.look_up(&claim)).await;
        let order = match looked.unwrap_or_else(|_| Err(slow())) {
            Ok(SearchOutcome::Found(found)) => return self.record_existing(&claim, found).await,
            Ok(SearchOutcome::Free(order)) => order,
            Err(fault) if claim.attempt == EventAttempt::First => return Err(nothing_made(fault)),
            Err(fault) => return Err(fault),
        };
        if claim.known.event.is_some() {
            self.drafts.forget_event(claim.uid.clone(), link::BEGUN).await?;
        }
        let join_url = self.link.make(&order.event, known_link(&claim), &self.drafts).await?;
        let event = order.event.with_link(join_url.clone());
        let failed = match self.backend.commit(event, order.must_be_free).await {
            Ok(Commit::Made(found)) => return self.record_created(claim.uid, found).await,
            Ok(Commit::Existed(found)) => return self.record_existing(&claim, found).await,
            Ok(Commit::Taken(count)) => taken(count),
            // The outcome is unknown, so the link is not withdrawn.
            Err(fault) if fault.code == FaultCode::Timeout => return Err(fault),
            Err(fault) if link::is_left(known_link(&claim)) => {
                return Err(fault.leaving(link::EARLIER));
            }
            Err(fault) => fault,
        };
        match self.link.withdraw(&claim.uid, join_url.as_deref(), &self.drafts).await {
            Some(left) => Err(failed.leaving(left)),
            None => Err(failed),
        }
    }

    /// The event if it exists, or the order to create it. A stored note of its creation is not
    /// sufficient, because it may have been deleted since.
    async fn look_up(&self, claim: &ClaimedDraft) -> Result<SearchOutcome, CapabilityFault> {
        if claim.attempt == EventAttempt::Later
            && let Some(found) = self.backend.find(claim.uid.clone()).await?
        {
            return Ok(SearchOutcome::Found(found));
        }
        let ClaimedDraft { known, uid, .. } = claim;
        let order =
            EventRequest::read(&known.content, uid.clone(), &self.preferences, self.now_ms())?;
        self.require_open(known, &order)?;
        let Err(taken) = self.require_free(&order).await else {
            return Ok(SearchOutcome::Free(order));
        };
        // Another attempt with the same draft may have booked the time.
        match self.backend.find(uid.clone()).await? {
            Some(found) => Ok(SearchOutcome::Found(found)),
            None => Err(taken),
        }
    }

    /// An event that an earlier attempt did not create is created only while the draft is valid.
    fn require_open(
        &self,
        known: &StoredDraft,
        order: &EventRequest,
    ) -> Result<(), CapabilityFault> {
        let now = self.now_ms();
        if known.expires_ms <= now {
            return Err(refused(if known.event.is_some() { DELETED } else { EXPIRED }));
        }
        match order.event.window.start.as_millisecond() <= now {
            true => Err(CapabilityFault::new(FaultCode::Conflict, PASSED)),
            false => Ok(()),
        }
    }

    async fn require_free(&self, order: &EventRequest) -> Result<(), CapabilityFault> {
        let people = order.must_be_free.people.clone();
        let known = self.backend.busy(people, order.event.window).await?;
        match known.taken(&order.event, &order.must_be_free) {
            0 => Ok(()),
            count => Err(taken(count)),
        }
    }

    /// The event was created, even if it cannot be stored.
    async fn record_created(
        &self,
        uid: String,
        found: StoredEvent,
    ) -> Result<CreatedEvent, CapabilityFault> {
        let StoredEvent { url, join_url, version } = found;
        let event = CreatedEvent { id: uid.clone(), url, join_url, existed: false, changed: false };
        let made = EventAsMade { event: event.clone(), version };
        let _ = self.drafts.note_event(uid, made).await;
        Ok(event)
    }

    /// The event existed before.
    async fn record_existing(
        &self,
        claim: &ClaimedDraft,
        found: StoredEvent,
    ) -> Result<CreatedEvent, CapabilityFault> {
        let noted = claim.known.event.as_ref();
        let before = noted.and_then(|made| made.version.as_ref());
        let changed = before.zip(found.version.as_ref()).is_some_and(|(one, other)| one != other);
        let event = match noted {
            Some(_) => {
                let StoredEvent { url, join_url, .. } = found;
                CreatedEvent { id: claim.uid.clone(), url, join_url, existed: true, changed }
            }
            None => self.record_created(claim.uid.clone(), found).await?,
        };
        Ok(CreatedEvent { existed: true, changed, ..event })
    }
}

/// The event in the calendar, or the order to create it.
enum SearchOutcome {
    Found(StoredEvent),
    Free(EventRequest),
}

/// The link that an earlier attempt left. If its event was deleted, the meeting may be deleted too.
fn known_link(claim: &ClaimedDraft) -> Option<&str> {
    match (&claim.known.event, claim.known.link.as_deref()) {
        (Some(_), Some(_)) => Some(link::BEGUN),
        (_, link) => link,
    }
}

impl Calendar for CalendarEngine {
    fn free_busy(&self, _: &Caller, request: FreeBusyRequest) -> Answer<Vec<Availability>> {
        let backend = self.backend.clone();
        async move {
            let window = TimeWindow::read(&request.start, &request.end)?;
            let people: Vec<String> =
                request.attendees.iter().map(|email| email.to_lowercase()).collect();
            let known = tokio::time::timeout(LOOKING, backend.busy(people.clone(), window)).await;
            let mut known = known.unwrap_or_else(|_| Err(slow()))?;
            let told = request.attendees.into_iter().zip(std::mem::take(&mut known.people));
            let told = told.map(|(email, time)| availability(email, &time, false));
            let organizer = known.organizer_besides(&people).filter(|_| request.organizer);
            let organizer = organizer.map(|it| availability(it.address, &it.time, true));
            Ok(told.chain(organizer).collect())
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

    fn create_event(&self, caller: &Caller, request: CreateEvent) -> Answer<CreatedEvent> {
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

    fn makes_links(&self) -> bool {
        !matches!(self.link, LinkSource::None)
    }

    fn preferences(&self) -> Preferences {
        self.preferences.clone()
    }
}

/// The event id, which is the same for the same request of a conversation.
fn uid(conversation: &str, key: &str) -> String {
    let hash = ContentHash::of_value(&json!([conversation, key]));
    format!("aileron-{}", hash.as_str().get(..32).unwrap_or_default())
}

fn availability(email: String, time: &PersonBusy, organizer: bool) -> Availability {
    let busy = time.busy.iter().map(TimeWindow::span).collect();
    let (readable, remark) = (time.readable, time.remark.clone());
    Availability { email, readable, remark, busy, organizer }
}

/// The draft with its event, created or started.
fn shown(known: StoredDraft) -> Result<Value, CapabilityFault> {
    let unreadable = |error: serde_json::Error| {
        CapabilityFault::new(FaultCode::Unavailable, format!("a draft cannot be read: {error}"))
    };
    let mut draft: Value = serde_json::from_str(&known.content).map_err(unreadable)?;
    if let (Value::Object(members), Some(uid)) = (&mut draft, known.uid) {
        members.insert("event_id".to_owned(), uid.into());
    }
    Ok(draft)
}

fn slow() -> CapabilityFault {
    CapabilityFault::new(FaultCode::Timeout, format!("{SLOW} {} s", LOOKING.as_secs()))
}

/// The fault of a first attempt that only read: its outcome is certain.
fn nothing_made(fault: CapabilityFault) -> CapabilityFault {
    match fault.code {
        FaultCode::Timeout => {
            CapabilityFault::new(FaultCode::Unavailable, format!("{}; {NOTHING}", fault.message))
        }
        _ => fault,
    }
}

fn taken(count: usize) -> CapabilityFault {
    let message = format!("{count} of the attendees became busy at that time");
    CapabilityFault::new(FaultCode::Conflict, message)
}

fn refused(message: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Refused, message)
}
