//! What every request shares.

use std::sync::Arc;

use aileron_orchestrator::Orchestrator;
use aileron_runtime::Clock;
use aileron_store::Store;

use crate::auth::Auth;
use crate::hub::Hub;
use crate::metrics::Metrics;
use crate::voice::Voice;

/// What a server is made of. The orchestrator's audience is the hub.
#[derive(Debug)]
pub struct Parts {
    pub orchestrator: Orchestrator,
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub hub: Arc<Hub>,
    pub auth: Auth,
    /// What becomes of calls, in numbers; see [`crate::Metered`].
    pub metrics: Metrics,
    pub voice: Voice,
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

    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub fn voice(&self) -> &Voice {
        &self.0.voice
    }
}
