//! The conversation the call is made in.

use std::sync::Arc;

use aileron_capability::SystemClock;
use aileron_contract::ConversationId;
use aileron_orchestrator::{Conversation, OpenError, OpenRequest, Orchestrator, Person, Setup};
use aileron_runtime::Registry;
use aileron_store::Store;

use super::talk::Stderr;
use crate::archive::{self, ArtifactKeeper};
use crate::args::CallArgs;
use crate::installation;
use crate::output::{self, Failure};
use crate::settings::{ImageDisplay, Settings};
use crate::storage::Storage;

/// An open conversation and its store.
pub(super) struct CallSession {
    pub(super) orchestrator: Orchestrator,
    pub(super) conversation: Conversation,
    pub(super) person: Person,
    pub(super) store: Arc<dyn Store>,
}

impl CallSession {
    /// Opens the given conversation, or a new one.
    pub(super) async fn open(
        args: &CallArgs,
        settings: &Settings,
        registry: Arc<Registry>,
        text: &str,
    ) -> Result<Self, Failure> {
        let (orchestrator, Storage { store, artifacts, .. }) =
            orchestrator(args, settings, registry)?;
        if let Some(artifacts) = artifacts {
            let keeper = ArtifactKeeper::new(artifacts);
            keeper.keep(text)?;
            keeper.prune(store.clone()).await;
        }
        let opening = opening(args)?;
        if args.conversation.is_none() && !args.memory {
            output::talk(&format!("conversation {}", opening.id));
        }
        let person = opening.person.clone();
        let conversation = orchestrator.open(opening).await.map_err(closed)?;
        Ok(Self { orchestrator, conversation, person, store })
    }

    /// Fails if the store cannot record calls, before one is made.
    pub(super) async fn must_keep(&self) -> Result<(), Failure> {
        self.store.flush().await.map_err(|error| Failure::Usage(error.to_string()))
    }
}

impl Drop for CallSession {
    /// Closes the store in order.
    fn drop(&mut self) {
        self.orchestrator.release(self.conversation.id());
    }
}

/// The orchestrator with its store.
pub(super) fn orchestrator(
    args: &CallArgs,
    settings: &Settings,
    registry: Arc<Registry>,
) -> Result<(Orchestrator, Storage), Failure> {
    let platform =
        installation::platform([&*registry], settings, &settings.images.store(ImageDisplay::Here))?;
    let storage = storage(args, settings)?;
    let orchestrator = Orchestrator::new(Setup {
        config: settings.policies.clone(),
        store: storage.store.clone(),
        platform,
        clock: Arc::new(SystemClock),
        observer: Arc::new(Stderr),
        signer: storage.signer.clone(),
    });
    let installed = orchestrator.install(registry);
    installed.map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(artifacts) = &storage.artifacts {
        archive::attach(&orchestrator, artifacts.clone(), settings);
    }
    Ok((orchestrator, storage))
}

/// A dry run makes no store.
fn storage(args: &CallArgs, settings: &Settings) -> Result<Storage, Failure> {
    let path = args.store.as_ref().unwrap_or(&settings.store.path);
    if args.memory || (args.dry_run && !path.exists()) {
        return Ok(Storage::memory());
    }
    Storage::open(path)
}

/// The request to open the conversation.
pub(super) fn opening(args: &CallArgs) -> Result<OpenRequest, Failure> {
    let person = Person { id: args.user.clone(), scopes: args.scopes.clone(), ..Person::default() };
    Ok(OpenRequest { id: id(args)?, mode: args.mode, person })
}

fn id(args: &CallArgs) -> Result<ConversationId, Failure> {
    if let Some(id) = &args.conversation {
        return Ok(id.clone());
    }
    let id = installation::fresh_id("cli")?;
    ConversationId::new(id).map_err(|error| Failure::Failed(error.to_string()))
}

/// A blocked person is a failure; other errors are wrong usage.
pub(super) fn closed(error: OpenError) -> Failure {
    match error {
        OpenError::Blocked { .. } => Failure::Failed(error.to_string()),
        error => Failure::Usage(error.to_string()),
    }
}
