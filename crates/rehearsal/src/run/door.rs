//! Opens a conversation, and continues it after a restart.

use aileron_contract::{ConversationId, Mode, UserId};
use aileron_orchestrator::{Conversation, OpenError, OpenRequest, Person};
use aileron_script::{ScriptStep, Tools};

use super::{Run, orchestrator};
use crate::check::FailedExpectation;
use crate::toolset;

impl Run {
    /// Another process over the same store.
    pub(super) async fn restart(
        &mut self,
        step: &ScriptStep,
        tools: Tools,
    ) -> Result<(), FailedExpectation> {
        let registry = match tools {
            Tools::Same => &self.options.registry,
            Tools::Other => &toolset::OTHER,
        };
        self.orchestrator = orchestrator(
            &self.options.config,
            &self.environment,
            &self.store,
            &self.observer,
            registry,
        );
        self.open(step, self.opening.clone()).await?;
        self.orchestrator.resume_tasks().await.unwrap();
        Ok(())
    }

    pub(super) async fn opens(
        &mut self,
        step: &ScriptStep,
        who: &str,
        mode: Mode,
        id: Option<&str>,
    ) -> Result<(), FailedExpectation> {
        let own = self.opening.person.clone();
        let is_own = own.id.as_ref().is_some_and(|id| id.as_str() == who);
        let person = if is_own { own } else { Person::known(UserId::new(who).unwrap()) };
        let id = id.map_or_else(|| self.opening.id.clone(), |id| ConversationId::new(id).unwrap());
        self.open(step, OpenRequest { id, mode, person }).await
    }

    /// The person moves the conversation to this mode.
    pub(super) async fn moves(
        &mut self,
        step: &ScriptStep,
        mode: Mode,
    ) -> Result<(), FailedExpectation> {
        let opening = OpenRequest { mode, ..self.opening.clone() };
        let moved = self.orchestrator.move_to(opening.clone()).await;
        self.arrived(step, opening, moved.map(|found| found.expect("it is there")))
    }

    async fn open(
        &mut self,
        step: &ScriptStep,
        opening: OpenRequest,
    ) -> Result<(), FailedExpectation> {
        let opened = self.orchestrator.open(opening.clone()).await;
        self.arrived(step, opening, opened)
    }

    fn arrived(
        &mut self,
        step: &ScriptStep,
        opening: OpenRequest,
        opened: Result<Conversation, OpenError>,
    ) -> Result<(), FailedExpectation> {
        let wanted = step.expected.first();
        let word = wanted.map_or("ok", |expected| &expected.word);
        let why = opened.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let found = opened.as_ref().map_or_else(error_word, |_| "ok");
        self.now_playing().words.push(found);
        FailedExpectation::unless_same(step.line, word, found)?;
        let mut says = wanted.iter().flat_map(|expected| &expected.says);
        if let Some(missing) = says.find(|text| !why.contains(*text)) {
            return Err(FailedExpectation::new(step.line, missing, why));
        }
        if let Ok(conversation) = opened {
            (self.conversation, self.opening) = (conversation, opening);
        }
        Ok(())
    }
}

fn error_word(error: &OpenError) -> &'static str {
    match error {
        OpenError::Blocked { .. } => "BLOCKED",
        OpenError::NotOwner => "NOT_YOURS",
        OpenError::OtherMode { .. } => "OTHER_MODE",
        OpenError::RegistryGone { .. } => "REGISTRY_GONE",
        OpenError::RegistryUnusable { .. } => "REGISTRY_UNUSABLE",
        OpenError::NoRegistry => "NO_REGISTRY",
        OpenError::Ended => "ENDED",
        OpenError::HeldElsewhere => "HELD_ELSEWHERE",
        OpenError::Store(_) => "STORE",
        OpenError::Unreadable { .. } => "UNREADABLE",
        OpenError::RegistryRefused(_) => "REGISTRY_NOT_ALLOWED",
    }
}
