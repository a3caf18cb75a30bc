//! From a command of the core to messages.

use aileron_contract::transport::{
    CallResult, Command, CommandError, Effects, Said, Setup, Speaker, TurnDetection,
};

use super::{GeminiLive, close};
use crate::calls::Route;
use crate::close::Handle;
use crate::gemini_live::settings::{CallBehaviour, Scheduling, TextChannel};
use crate::gemini_live::wire::outgoing::{
    self, ClientContent, ClientMessage, Empty, FunctionResponse, RealtimeInput, Role,
    ToolResponseMessage, Turn,
};
use crate::gemini_live::wire::setup::{SetupMessage, replays};
use crate::phase::{self, Phase};
use crate::{answer, audio};

/// Whether the model is to say something about what it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Wanted,
    NotWanted,
}

impl GeminiLive {
    pub(super) fn obey(
        &mut self,
        command: Command<'_>,
        effects: &mut Effects,
    ) -> Result<(), CommandError> {
        match command {
            Command::Start(setup) => self.start(setup, effects),
            Command::Audio(pcm) => return send_audio(pcm, effects),
            Command::AudioEnd => self.audio_end(effects),
            Command::SpeechStart => {
                phase::check_manual(&self.detection)?;
                realtime(RealtimeInput::ActivityStart(Empty {}), effects);
            }
            Command::SpeechEnd => {
                phase::check_manual(&self.detection)?;
                realtime(RealtimeInput::ActivityEnd(Empty {}), effects);
            }
            Command::Text(text) => self.text(text, Reply::Wanted, effects),
            Command::Results(results) => self.results(results, effects),
            Command::LateResult(result) => self.late_result(result, Reply::Wanted, effects),
            Command::Interrupt => return Err(CommandError::Unsupported("be interrupted by us")),
            Command::Truncate { .. } => {
                return Err(CommandError::Unsupported("be told how much was heard"));
            }
            Command::Say(_) => return Err(CommandError::Unsupported("speak a given sentence")),
            Command::End => {
                self.phase = Phase::Over;
                close(effects);
            }
        }
        Ok(())
    }

    fn start(&mut self, setup: &Setup, effects: &mut Effects) {
        self.phase = Phase::Starting;
        self.handle = if setup.resume.is_some() { Handle::Given } else { Handle::None };
        self.detection = setup.turn_detection.clone();
        self.history = replays(setup).then(|| history(&setup.history));
        let message = SetupMessage::new(setup, &self.settings);
        effects.send(ClientMessage::Setup(Box::new(message)).text());
    }

    /// Where the core tells of speech, the end of it was told.
    fn audio_end(&self, effects: &mut Effects) {
        if self.detection != TurnDetection::Manual {
            realtime(RealtimeInput::AudioStreamEnd(true), effects);
        }
    }

    fn text(&self, text: &str, reply: Reply, effects: &mut Effects) {
        match self.settings.text {
            TextChannel::Content => effects.send(content(text, reply)),
            TextChannel::Realtime => realtime(RealtimeInput::Text(text), effects),
        }
    }

    /// All that the connection waits for goes in one message, so that the model speaks once.
    fn results(&mut self, results: &[CallResult], effects: &mut Effects) {
        let mut responses = Vec::new();
        let mut late = Vec::new();
        for result in results {
            match self.calls.answer(result) {
                Route::Native { wire_id, name } => {
                    responses.push(self.function_response(wire_id, name, result));
                }
                Route::InWords => late.push((result, Reply::Wanted)),
                Route::ForTheRecord => late.push((result, Reply::NotWanted)),
                Route::Nowhere => {}
            }
        }
        if !responses.is_empty() {
            let message = ToolResponseMessage { function_responses: &responses };
            effects.send(ClientMessage::ToolResponse(message).text());
        }
        for (result, reply) in late {
            self.late_result(result, reply, effects);
        }
    }

    fn function_response(
        &self,
        id: Option<String>,
        name: String,
        result: &CallResult,
    ) -> FunctionResponse {
        let response = answer::model_view(&result.response);
        FunctionResponse { id, name, response, scheduling: self.scheduling() }
    }

    fn scheduling(&self) -> Option<Scheduling> {
        match self.settings.calls {
            CallBehaviour::AsTheModelDoes => None,
            CallBehaviour::NonBlocking(scheduling) => Some(scheduling),
        }
    }

    fn late_result(&self, result: &CallResult, reply: Reply, effects: &mut Effects) {
        self.text(&answer::late_text(result), reply, effects);
    }
}

fn send_audio(pcm: &[u8], effects: &mut Effects) -> Result<(), CommandError> {
    audio::check_samples(pcm)?;
    if !pcm.is_empty() {
        effects.send(outgoing::audio_frame(pcm));
    }
    Ok(())
}

fn realtime(input: RealtimeInput<'_>, effects: &mut Effects) {
    effects.send(ClientMessage::RealtimeInput(input).text());
}

fn content(text: &str, reply: Reply) -> String {
    let turns = vec![Turn::new(Role::User, text)];
    let turn_complete = reply == Reply::Wanted;
    ClientMessage::ClientContent(ClientContent { turns, turn_complete }).text()
}

fn history(said: &[Said]) -> String {
    let turns = said.iter().map(|said| Turn::new(role(said.by), &said.text)).collect();
    ClientMessage::ClientContent(ClientContent { turns, turn_complete: true }).text()
}

fn role(speaker: Speaker) -> Role {
    match speaker {
        Speaker::Person => Role::User,
        Speaker::Model => Role::Model,
    }
}
