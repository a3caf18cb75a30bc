//! What every request shares.

use std::sync::Arc;

use aileron_orchestrator::Orchestrator;
use aileron_runtime::Clock;
use aileron_store::Store;

use crate::auth::Auth;
use crate::chat::Chat;
use crate::hub::Hub;

/// What a server is made of. The orchestrator's audience is the hub.
#[derive(Debug)]
pub struct Parts {
    pub orchestrator: Orchestrator,
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub hub: Arc<Hub>,
    pub auth: Auth,
    /// The agent that writes; without it there is no chat.
    pub chat: Option<Chat>,
}

/// What every request shares. Clones are the same server.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

impl App {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    pub fn orchestrator(&self) -> &Orchestrator {
        &self.0.orchestrator
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.clock
    }

    pub fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    pub fn auth(&self) -> &Auth {
        &self.0.auth
    }

    pub fn chat(&self) -> Option<&Chat> {
        self.0.chat.as_ref()
    }
}
