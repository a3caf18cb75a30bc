//! Which conversations are in use, and by whom: one that nobody uses any more is let go of after a
//! while, and nobody holds too many at a time.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aileron_agent::ConfirmationAnswer;
use aileron_contract::{ConversationId, UserId};
use aileron_orchestrator::token::TokenId;
use aileron_orchestrator::{Conversation, OpenError, OpenRequest};

use crate::app::App;
use crate::error::{ApiError, ApiErrorCode};

/// How often idle conversations are looked for.
const EVERY: Duration = Duration::from_secs(30);

/// How long whoever has too many is asked to wait.
const WAIT_SECONDS: u32 = 10;

type Opened = Result<Option<Conversation>, OpenError>;

/// The conversations that this process has in memory.
#[derive(Debug, Default)]
pub(crate) struct Conversations(Mutex<BTreeMap<ConversationId, ConversationUse>>);

#[derive(Debug)]
struct ConversationUse {
    owner: Option<UserId>,
    leases: usize,
    /// Milliseconds since the Unix epoch.
    last: u64,
}

/// Why there is no lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOpened {
    Refused(OpenError),
    /// There is no such conversation.
    NotThere,
    /// All that the person may hold are in use.
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
                Self::too_many(ApiErrorCode::TooManyConversations, message, WAIT_SECONDS)
            }
        }
    }
}

/// An id for a conversation that begins: nobody can guess it.
pub(crate) fn fresh_id() -> Result<ConversationId, ApiError> {
    let broken = |why: String| ApiError::new(ApiErrorCode::Internal, format!("no id: {why}"));
    let random = TokenId::random().map_err(|error| broken(error.to_string()))?;
    ConversationId::new(random.as_str()).map_err(|error| broken(error.to_string()))
}

/// A conversation in use. It stays in memory at least until this is dropped.
#[derive(Debug)]
pub struct Lease {
    app: App,
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
        self.app.conversations().renew(self.conversation.id());
        Self { app: self.app.clone(), conversation: self.conversation.clone() }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.app.give_back(self.conversation.id());
    }
}

impl App {
    /// Opens a conversation, or begins it, for as long as the lease is kept.
    pub async fn open(&self, opening: OpenRequest) -> Result<Lease, NotOpened> {
        let orchestrator = self.orchestrator();
        self.lease(opening, |opening| async { orchestrator.open(opening).await.map(Some) }).await
    }

    /// Opens a conversation that is there; one that is not, or is somebody else's, is not found.
    pub async fn find(&self, opening: OpenRequest) -> Result<Lease, NotOpened> {
        let orchestrator = self.orchestrator();
        self.lease(opening, |opening| orchestrator.find(opening)).await
    }

    /// Opens a conversation that is there in the mode asked for, wherever it was held: the person
    /// has said that it goes on there.
    pub async fn move_to(&self, opening: OpenRequest) -> Result<Lease, NotOpened> {
        let orchestrator = self.orchestrator();
        self.lease(opening, |opening| orchestrator.move_to(opening)).await
    }

    /// Puts down what somebody decided who is blocked meanwhile. Nothing comes of it: the gate refuses
    /// the call, and its record says so, as if they had clicked before they were sent out.
    pub(crate) async fn decided_outside(
        &self,
        refused: &NotOpened,
        opening: OpenRequest,
        decisions: impl Iterator<Item = &ConfirmationAnswer>,
    ) {
        let NotOpened::Refused(OpenError::Blocked { .. }) = refused else { return };
        let person = opening.person.clone();
        let Ok(Some(conversation)) = self.orchestrator().find_outside(opening).await else {
            return;
        };
        for ConfirmationAnswer { token, approve } in decisions {
            // A question that is not theirs, or not open, is no matter here.
            let _ = conversation.confirm(token, *approve, &person).await;
        }
    }

    async fn lease<F: Future<Output = Opened>>(
        &self,
        opening: OpenRequest,
        open: impl FnOnce(OpenRequest) -> F,
    ) -> Result<Lease, NotOpened> {
        let reserved = ReservedPlace::take(self, &opening)?;
        let conversation = open(opening).await?.ok_or(NotOpened::NotThere)?;
        Ok(reserved.keep(conversation))
    }

    /// Lets go of conversations that nobody uses, for as long as the server runs.
    pub(crate) async fn release_idle(self) {
        loop {
            tokio::time::sleep(EVERY).await;
            self.release_idle_since(self.clock().now_ms());
        }
    }

    fn release_idle_since(&self, now: u64) {
        let idle = u64::try_from(self.limits().idle.as_millis()).unwrap_or(u64::MAX);
        let mut all = self.conversations().lock();
        all.retain(|id, one| {
            let keep = one.leases > 0 || now.saturating_sub(one.last) < idle;
            if !keep {
                self.orchestrator().release(id);
            }
            keep
        });
    }

    /// The last one to leave may leave nothing behind: a conversation that was never opened.
    fn give_back(&self, id: &ConversationId) {
        let now = self.clock().now_ms();
        if let Some(one) = self.conversations().lock().get_mut(id) {
            one.leases = one.leases.saturating_sub(1);
            one.last = now;
        }
    }
}

/// A place for a conversation that is being opened. Taken first, so that nobody lets go of it
/// meanwhile.
struct ReservedPlace {
    app: App,
    id: Option<ConversationId>,
}

impl ReservedPlace {
    fn take(app: &App, opening: &OpenRequest) -> Result<Self, NotOpened> {
        let owner = &opening.person.id;
        let mut all = app.conversations().lock();
        if !all.contains_key(&opening.id) {
            make_room(app, &mut all, owner)?;
        }
        let fresh = ConversationUse { owner: owner.clone(), leases: 0, last: 0 };
        all.entry(opening.id.clone()).or_insert(fresh).leases += 1;
        Ok(Self { app: app.clone(), id: Some(opening.id.clone()) })
    }

    fn keep(mut self, conversation: Conversation) -> Lease {
        self.id = None;
        Lease { app: self.app.clone(), conversation }
    }
}

impl Drop for ReservedPlace {
    /// It was not opened: whoever was not let in leaves no trace.
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let mut all = self.app.conversations().lock();
        if let Some(one) = all.get_mut(&id) {
            one.leases = one.leases.saturating_sub(1);
            if one.leases == 0 && one.last == 0 {
                all.remove(&id);
            }
        }
    }
}

/// Whoever has as many as they may gives up the one they have not used for longest.
fn make_room(
    app: &App,
    all: &mut BTreeMap<ConversationId, ConversationUse>,
    owner: &Option<UserId>,
) -> Result<(), NotOpened> {
    let most = match owner {
        Some(_) => app.limits().conversations,
        None => app.limits().local_conversations,
    };
    if all.values().filter(|one| one.owner == *owner).count() < most {
        return Ok(());
    }
    let unused = all.iter().filter(|(_, one)| one.owner == *owner && one.leases == 0);
    let oldest = unused.min_by_key(|(_, one)| one.last).map(|(id, _)| id.clone());
    let Some(oldest) = oldest else { return Err(NotOpened::TooMany { most }) };
    all.remove(&oldest);
    app.orchestrator().release(&oldest);
    Ok(())
}

impl Conversations {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<ConversationId, ConversationUse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn renew(&self, id: &ConversationId) {
        if let Some(one) = self.lock().get_mut(id) {
            one.leases += 1;
        }
    }
}

#[cfg(test)]
#[path = "conversations_tests.rs"]
mod tests;
