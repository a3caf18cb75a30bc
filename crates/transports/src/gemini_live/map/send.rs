//! Maps commands to messages.

use std::borrow::Cow;

use aileron_contract::transport::{
    CallResult, Command, CommandError, DeferredInput, Effects, HistoryMessage, MissedEvent, Setup,
    Speaker, TurnDetection,
};

use super::{GeminiLive, close};
use crate::calls::ResultRoute;
use crate::close::Handle;
use crate::gemini_live::settings::{CallBehaviour, Scheduling, TextChannel};
use crate::gemini_live::wire::outgoing::{
    self, ClientContent, ClientMessage, Empty, FunctionResponse, RealtimeInput, Role,
    ToolResponseMessage, Turn,
};
use crate::gemini_live::wire::setup::{SetupMessage, replays};
use crate::phase::{self, ConnectionPhase};
use crate::{answer, audio};

/// Maximum number of notes that wait; the oldest are dropped first.
const MAX_NOTES: usize = 32;

/// Whether a reply of the model is requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ReplyWanted {
    Wanted,
    #[default]
    NotWanted,
}

/// An input for the model.
enum ModelUpdate<'a> {
    Text(&'a str),
    Result(&'a CallResult),
    /// A late result.
    Late(&'a CallResult),
    /// A sentence that the model is to say.
    Opening(&'a str),
}

impl<'a> From<&'a DeferredInput> for ModelUpdate<'a> {
    fn from(held: &'a DeferredInput) -> Self {
        match held {
            DeferredInput::Text(text) => Self::Text(text),
            DeferredInput::Result(result) => Self::Result(result),
            DeferredInput::Opening(sentence) => Self::Opening(sentence),
        }
    }
}

/// The inputs that are sent together.
#[derive(Default)]
struct ImmediateUpdate<'a> {
    responses: Vec<FunctionResponse>,
    words: Vec<Cow<'a, str>>,
    reply: ReplyWanted,
}

impl<'a> ImmediateUpdate<'a> {
    fn say(&mut self, words: Cow<'a, str>, reply: ReplyWanted) {
        self.words.push(words);
        if reply == ReplyWanted::Wanted {
            self.reply = reply;
        }
    }
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
            Command::Text(text) => self.told([ModelUpdate::Text(text)].into_iter(), effects),
            Command::Results(results) => {
                self.told(results.iter().map(ModelUpdate::Result), effects);
            }
            Command::LateResult(result) => {
                self.told([ModelUpdate::Late(result)].into_iter(), effects);
            }
            Command::Told(held) => self.told(held.iter().map(ModelUpdate::from), effects),
            Command::Open(sentence) => {
                self.told([ModelUpdate::Opening(sentence)].into_iter(), effects);
            }
            Command::Interrupt { played_ms } => self.mute(played_ms, effects),
            Command::Truncate { .. } => {
                return Err(CommandError::Unsupported("be told how much was heard"));
            }
            Command::Say(_) => return Err(CommandError::Unsupported("speak a given sentence")),
            Command::Overdue(what) => self.overdue(what, effects),
            Command::End => {
                self.phase = ConnectionPhase::Over;
                close(effects);
            }
        }
        Ok(())
    }

    fn start(&mut self, setup: &Setup, effects: &mut Effects) {
        self.phase = ConnectionPhase::Starting;
        self.handle = if setup.resume.is_some() { Handle::Given } else { Handle::None };
        self.detection = setup.turn_detection.clone();
        self.reads.clone_from(&setup.reads);
        self.history = replays(setup).then(|| history(&setup.history));
        let message = SetupMessage::new(setup, &self.settings);
        effects.send(ClientMessage::Setup(Box::new(message)).text());
    }

    /// The provider decides when to reply: it may say nothing, so a missing reply needs no action.
    fn overdue(&mut self, what: MissedEvent, effects: &mut Effects) {
        match what {
            MissedEvent::TurnEnd if self.speech.generated => self.presume_end(effects),
            MissedEvent::TurnEnd | MissedEvent::Reply => {}
        }
    }

    /// Where the core reports speech, it has reported its end.
    fn audio_end(&self, effects: &mut Effects) {
        if self.detection != TurnDetection::Manual {
            realtime(RealtimeInput::AudioStreamEnd(true), effects);
        }
    }

    /// Sends all awaited results in one message, and all text in another, so that the model replies once
    /// and does not interrupt itself.
    fn told<'a>(&mut self, what: impl Iterator<Item = ModelUpdate<'a>>, effects: &mut Effects) {
        let mut telling = ImmediateUpdate::default();
        for what in what {
            match what {
                ModelUpdate::Text(text) => {
                    self.person_writes(effects);
                    telling.say(text.into(), ReplyWanted::Wanted);
                }
                ModelUpdate::Opening(sentence) => {
                    telling.say(answer::to_say(sentence).into(), ReplyWanted::Wanted);
                }
                ModelUpdate::Late(result) => {
                    telling.say(answer::late_text(result).into(), ReplyWanted::Wanted);
                }
                ModelUpdate::Result(result) => self.result(result, &mut telling),
            }
        }
        if telling.reply == ReplyWanted::Wanted {
            self.transcripts.written();
        }
        if !telling.responses.is_empty() {
            let message = ToolResponseMessage { function_responses: &telling.responses };
            effects.send(ClientMessage::ToolResponse(message).text());
        }
        if telling.reply == ReplyWanted::Wanted {
            let notes = std::mem::take(&mut self.notes).into_iter().map(Cow::Owned);
            telling.words.splice(0..0, notes);
            effects.send(self.words_frame(&telling));
        } else {
            self.notes.extend(telling.words.into_iter().map(Cow::into_owned));
            let forgotten = self.notes.len().saturating_sub(MAX_NOTES);
            self.notes.drain(..forgotten);
            self.send_notes(effects);
        }
    }

    /// Sends the notes. `clientContent` interrupts the model even without requesting a reply, so during a
    /// turn notes wait for its end. `realtimeInput` always requests a reply, and the models that need it
    /// refuse `clientContent`; there notes wait for a text that requests one.
    pub(super) fn send_notes(&mut self, effects: &mut Effects) {
        let has_to_wait = self.settings.text == TextChannel::Realtime;
        if has_to_wait || self.notes.is_empty() || !self.transcripts.is_idle() {
            return;
        }
        let words = std::mem::take(&mut self.notes).into_iter().map(Cow::Owned).collect();
        effects.send(self.words_frame(&ImmediateUpdate { words, ..ImmediateUpdate::default() }));
    }

    fn result(&mut self, result: &CallResult, telling: &mut ImmediateUpdate<'_>) {
        match self.calls.answer(result) {
            ResultRoute::Native { wire_id, name } => {
                telling.responses.push(self.function_response(wire_id, name, result));
            }
            ResultRoute::AsText => {
                telling.say(answer::late_text(result).into(), ReplyWanted::Wanted);
            }
            ResultRoute::AsTextNoReply => {
                telling.say(answer::late_text(result).into(), ReplyWanted::NotWanted);
            }
            ResultRoute::Drop => {}
        }
    }

    fn words_frame(&self, telling: &ImmediateUpdate<'_>) -> String {
        match self.settings.text {
            TextChannel::Content => {
                let turns = telling.words.iter().map(|text| Turn::new(Role::User, text)).collect();
                let turn_complete = telling.reply == ReplyWanted::Wanted;
                ClientMessage::ClientContent(ClientContent { turns, turn_complete }).text()
            }
            TextChannel::Realtime => {
                let text = telling.words.join("\n\n");
                ClientMessage::RealtimeInput(RealtimeInput::Text(&text)).text()
            }
        }
    }

    fn function_response(
        &self,
        id: Option<String>,
        name: String,
        result: &CallResult,
    ) -> FunctionResponse {
        let response = answer::model_view(&result.response);
        let scheduling = self.scheduling(&name);
        FunctionResponse { id, name, response, scheduling }
    }

    fn scheduling(&self, tool: &str) -> Option<Scheduling> {
        match self.settings.calls {
            CallBehaviour::AsTheModelDoes | CallBehaviour::Blocking => None,
            CallBehaviour::NonBlocking(scheduling) => scheduling,
            CallBehaviour::ReadsNonBlocking(scheduling) => {
                self.reads.iter().any(|read| read == tool).then_some(scheduling)
            }
        }
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

fn history(said: &[HistoryMessage]) -> String {
    let turns = said.iter().map(|said| Turn::new(role(said.by), &said.text)).collect();
    ClientMessage::ClientContent(ClientContent { turns, turn_complete: true }).text()
}

fn role(speaker: Speaker) -> Role {
    match speaker {
        Speaker::Person => Role::User,
        Speaker::Model => Role::Model,
    }
}
