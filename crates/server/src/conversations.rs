//! The conversations that this process has in memory. A conversation without a lease is unloaded after a
//! while, and each person may have a limited number of them.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aileron_capability::Clock;
use aileron_contract::{ConversationId, UserId};
use aileron_orchestrator::token::TokenId;
use aileron_orchestrator::{Conversation, OpenError, OpenRequest, Orchestrator};

use crate::error::{ApiError, ApiErrorCode};
use crate::limits::RequestLimits;
use crate::metrics::Metrics;

/// Interval between two searches for idle conversations.
const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(30);

/// The `Retry-After` of a person who has too many conversations.
const RETRY_AFTER_SECONDS: u32 = 10;

type Opened = Result<Option<Conversation>, OpenError>;

/// The conversations that this process has in memory. Clones share them.
#[derive(Debug, Clone)]
pub struct Conversations(Arc<ConversationsShared>);

#[derive(Debug)]
struct ConversationsShared {
    orchestrator: Orchestrator,
    clock: Arc<dyn Clock>,
    limits: RequestLimits,
    metrics: Metrics,
    uses: Mutex<BTreeMap<ConversationId, ConversationUse>>,
}

#[derive(Debug)]
struct ConversationUse {
    owner: Option<UserId>,
    leases: usize,
    /// When a lease was last dropped, in milliseconds since the Unix epoch; 0 before the first.
    last: u64,
    /// Set once the conversation is open.
    session: Option<Session>,
}

/// The time a conversation is in memory.
#[derive(Debug)]
struct Session {
    /// Milliseconds since the Unix epoch.
    began: u64,
    first_turn: u64,
    last_turn: u64,
}

/// Why a conversation was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOpened {
    Refused(OpenError),
    /// The conversation does not exist.
    NotThere,
    /// Every conversation that the person may have is in use.
    TooMany {
        most: usize,
    },
}

impl From<OpenError> for NotOpened {
    fn from(error: OpenError) -> Self {
        Self::Refused(error)
    }
}

impl From<NotOpened> for ApiError {
    fn from(error: NotOpened) -> Self {
        match error {
            NotOpened::Refused(error) => error.into(),
            NotOpened::NotThere => Self::no_conversation(),
            NotOpened::TooMany { most } => {
                let message = format!(
                    "all {most} conversations that one person may hold are in use; end one, or raise \
                     [server.limits]"
                );
                Self::too_many(ApiErrorCode::TooManyConversations, message, RETRY_AFTER_SECONDS)
            }
        }
    }
}

/// An id for a new conversation, which cannot be guessed.
pub(crate) fn fresh_id() -> Result<ConversationId, ApiError> {
    let broken = |why: String| ApiError::new(ApiErrorCode::Internal, format!("no id: {why}"));
    let random = TokenId::random().map_err(|error| broken(error.to_string()))?;
    ConversationId::new(random.as_str()).map_err(|error| broken(error.to_string()))
}

/// A conversation in use. It stays in memory at least until this is dropped.
#[derive(Debug)]
pub struct Lease {
    conversations: Conversations,
    conversation: Conversation,
}

impl Deref for Lease {
    type Target = Conversation;

    fn deref(&self) -> &Conversation {
        &self.conversation
    }
}

impl Clone for Lease {
    fn clone(&self) -> Self {
        if let Some(one) = self.conversations.lock().get_mut(self.conversation.id()) {
            one.leases += 1;
        }
        Self { conversations: self.conversations.clone(), conversation: self.conversation.clone() }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let now = self.conversations.0.clock.now_ms();
        let turn = self.conversation.turn();
        if let Some(one) = self.conversations.lock().get_mut(self.conversation.id()) {
            one.leases = one.leases.saturating_sub(1);
            one.last = now;
            if let Some(session) = &mut one.session {
                session.last_turn = turn;
            }
        }
    }
}

impl Conversations {
    pub(crate) fn new(
        orchestrator: Orchestrator,
        clock: Arc<dyn Clock>,
        limits: RequestLimits,
        metrics: Metrics,
    ) -> Self {
        let uses = Mutex::default();
        Self(Arc::new(ConversationsShared { orchestrator, clock, limits, metrics, uses }))
    }

    /// Opens a conversation; starts it if it does not exist.
    pub async fn open(&self, request: OpenRequest) -> Result<Lease, NotOpened> {
        self.open_with(request, None).await
    }

    /// The same. A conversation that starts gets the registry of this name, if a rule allows it.
    pub async fn open_with(
        &self,
        request: OpenRequest,
        registry: Option<&str>,
    ) -> Result<Lease, NotOpened> {
        let orchestrator = &self.0.orchestrator;
        let open = |request| async { orchestrator.open_with(request, registry).await.map(Some) };
        self.lease(request, open).await
    }

    /// Opens an existing conversation. One that belongs to another person is not found.
    pub async fn find(&self, request: OpenRequest) -> Result<Lease, NotOpened> {
        self.lease(request, |request| self.0.orchestrator.find(request)).await
    }

    /// Opens an existing conversation and moves it to the mode of the request, whichever mode it was in.
    pub async fn move_to(&self, request: OpenRequest) -> Result<Lease, NotOpened> {
        self.lease(request, |request| self.0.orchestrator.move_to(request)).await
    }

    async fn lease<F: Future<Output = Opened>>(
        &self,
        request: OpenRequest,
        open: impl FnOnce(OpenRequest) -> F,
    ) -> Result<Lease, NotOpened> {
        let reserved = ReservedPlace::take(self, &request)?;
        let conversation = open(request).await?.ok_or(NotOpened::NotThere)?;
        Ok(reserved.into_lease(conversation))
    }

    /// Begins the session of a conversation that was just opened, unless it has one.
    fn begin_session(&self, conversation: &Conversation) {
        let (began, turn, mode) = (self.0.clock.now_ms(), conversation.turn(), conversation.mode());
        let mut uses = self.lock();
        let Some(one) = uses.get_mut(conversation.id()).filter(|one| one.session.is_none()) else {
            return;
        };
        one.session = Some(Session { began, first_turn: turn, last_turn: turn });
        self.0.metrics.sessions.began(conversation.id(), mode);
    }

    /// Unloads idle conversations, for as long as the server runs.
    pub(crate) async fn release_idle(self) {
        loop {
            tokio::time::sleep(IDLE_CHECK_INTERVAL).await;
            self.release_idle_at(self.0.clock.now_ms());
        }
    }

    fn release_idle_at(&self, now: u64) {
        let idle = u64::try_from(self.0.limits.idle.as_millis()).unwrap_or(u64::MAX);
        self.lock().retain(|id, one| {
            let keep = one.leases > 0 || now.saturating_sub(one.last) < idle;
            if !keep {
                self.unload(id, one);
            }
            keep
        });
    }

    /// Unloads the least recently used idle conversation of a person who has reached the limit.
    fn make_room(
        &self,
        uses: &mut BTreeMap<ConversationId, ConversationUse>,
        owner: &Option<UserId>,
    ) -> Result<(), NotOpened> {
        let most = match owner {
            Some(_) => self.0.limits.conversations,
            None => self.0.limits.local_conversations,
        };
        if uses.values().filter(|one| one.owner == *owner).count() < most {
            return Ok(());
        }
        let idle = uses.iter().filter(|(_, one)| one.owner == *owner && one.leases == 0);
        let oldest = idle.min_by_key(|(_, one)| one.last).map(|(id, _)| id.clone());
        let Some(oldest) = oldest else { return Err(NotOpened::TooMany { most }) };
        if let Some(unused) = uses.remove(&oldest) {
            self.unload(&oldest, &unused);
        }
        Ok(())
    }

    /// Unloads a conversation that no lease uses, and counts its session.
    fn unload(&self, id: &ConversationId, unused: &ConversationUse) {
        self.0.orchestrator.release(id);
        if let Some(Session { began, first_turn, last_turn }) = unused.session {
            let turns = last_turn.saturating_sub(first_turn);
            self.0.metrics.sessions.ended(id, unused.last.saturating_sub(began), turns);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ConversationId, ConversationUse>> {
        self.0.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place for a conversation that is being opened. Taken before the conversation is loaded, so that it is
/// not unloaded meanwhile.
struct ReservedPlace {
    conversations: Conversations,
    id: Option<ConversationId>,
}

impl ReservedPlace {
    fn take(conversations: &Conversations, request: &OpenRequest) -> Result<Self, NotOpened> {
        let owner = &request.person.id;
        let mut uses = conversations.lock();
        if !uses.contains_key(&request.id) {
            conversations.make_room(&mut uses, owner)?;
        }
        let fresh = ConversationUse { owner: owner.clone(), leases: 0, last: 0, session: None };
        uses.entry(request.id.clone()).or_insert(fresh).leases += 1;
        Ok(Self { conversations: conversations.clone(), id: Some(request.id.clone()) })
    }

    fn into_lease(mut self, conversation: Conversation) -> Lease {
        self.id = None;
        self.conversations.begin_session(&conversation);
        Lease { conversations: self.conversations.clone(), conversation }
    }
}

impl Drop for ReservedPlace {
    /// The conversation was not opened: removes its place, unless other requests use the conversation.
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let mut uses = self.conversations.lock();
        if let Some(one) = uses.get_mut(&id) {
            one.leases = one.leases.saturating_sub(1);
            if one.leases == 0 && one.last == 0 {
                uses.remove(&id);
            }
        }
    }
}

#[cfg(test)]
#[path = "conversations_tests.rs"]
mod tests;
