//! Joins a person, a live provider and a conversation: what each of them does comes in, what is to be
//! done comes out. Pure: it has no socket, no task and no clock, so every order of happenings can be
//! tried in a test.

mod ending;
mod fillers;
mod floor;
mod gate;
mod lull;
mod microphone;
mod person;
mod playback;
mod provider;
mod repeats;

use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::transport::{CallResult, Capabilities, Support, Utterance};
use aileron_contract::{CallId, ToolCall};
use aileron_orchestrator::TurnInput;
use aileron_orchestrator::state::{ConversationState, StateEvent};
use aileron_orchestrator::yes_no::Grammar;
use aileron_runtime::Registry;

use self::ending::Ending;
use self::fillers::Fillers;
use self::floor::{Floor, Turn};
use self::lull::Lull;
use self::microphone::Microphone;
use self::playback::Playback;
use self::repeats::Repeats;
use super::limits::Limits;
use super::protocol::{Down, Reason};

/// What is to be done.
#[derive(Debug, PartialEq)]
pub(crate) enum Act {
    /// Tell the client.
    Tell(Down),
    /// Send audio to the client.
    Play(Vec<u8>),
    /// Forget audio that was not sent.
    Hush,
    /// Tell the provider.
    Order(Order),
    /// Look for a message that was kept for the first thing the model says.
    TakeOpening,
    /// Begin a turn.
    Turn(TurnInput),
    /// Words of a turn that has begun.
    Hear {
        text: String,
        began_ms: u64,
    },
    /// Make the calls of one message.
    Call(Vec<ToolCall>),
    Confirm {
        token: String,
        approve: bool,
    },
    /// The provider takes these calls back.
    Cancel(Vec<CallId>),
    /// The person cut in.
    Interrupt,
    Follow(StateEvent),
    /// As above, once all audio has been sent.
    FollowWhenSent(StateEvent),
    /// The session is over.
    End(End),
}

/// A command for the provider, owned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Order {
    Text(String),
    Results(Vec<CallResult>),
    LateResult(CallResult),
    /// Stop talking; only this much of what plays was heard.
    Interrupt {
        played_ms: u64,
    },
    Truncate {
        utterance: Utterance,
        played_ms: u64,
    },
    Say(String),
    /// Say this of your own accord.
    Open(String),
    /// The microphone was turned off.
    AudioEnd,
    /// The end of a turn does not come.
    TurnOverdue,
}

/// How a session ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) reason: Reason,
    /// What a tool had to say about it.
    pub(crate) last_words: LastWords,
}

impl From<Reason> for End {
    fn from(reason: Reason) -> Self {
        Self { reason, last_words: LastWords::default() }
    }
}

/// What a tool that ends a session leaves on the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LastWords {
    pub(crate) reason: Option<String>,
    pub(crate) closing_message: Option<String>,
    pub(crate) text_response: Option<String>,
}

/// What the client is told when a session is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Greeting {
    pub(crate) conversation_id: aileron_contract::ConversationId,
    pub(crate) registry_version: String,
    pub(crate) tools: Vec<String>,
    pub(crate) provider: String,
    pub(crate) notes: Vec<&'static str>,
}

impl Greeting {
    fn message(&self) -> Down {
        let Self { conversation_id, registry_version, tools, provider, notes } = self.clone();
        Down::Ready { conversation_id, registry_version, tools, provider, notes }
    }
}

/// Where the connection to the provider stands, as far as the client was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    Beginning,
    Up,
    /// The client knows that it is being mended.
    Mending,
}

#[derive(Debug)]
pub(crate) struct Bridge {
    greeting: Greeting,
    capabilities: Capabilities,
    registry: Arc<Registry>,
    limits: Limits,
    link: Link,
    /// Whether the provider was ready at any time.
    was_ready: bool,
    floor: Floor,
    microphone: Microphone,
    playback: Playback,
    lull: Lull,
    repeats: Repeats,
    fillers: Fillers,
    ending: Ending,
    questions: Vec<ConfirmationRequest>,
    /// Tells whether what is written reads as a yes.
    grammar: Arc<Grammar>,
    /// A kept message that waits for the end of the reply that is under way.
    opening: Option<String>,
    /// Whether the model was told a late result whose time was not noted yet.
    told_late: bool,
    /// Calls of the model that are not answered yet.
    open: Vec<CallId>,
    /// Calls that run, with their tools; those that tools make are among them.
    running: Vec<(CallId, String)>,
    /// Why a reply failed, in our words.
    failed: Option<&'static str>,
    /// Whether the person was reported to cut in since the model last did something.
    cut: bool,
    audio_suppressed: bool,
    transcript_suppressed: bool,
    began: u64,
    active: u64,
    acts: Vec<Act>,
}

impl Bridge {
    pub(crate) fn new(
        greeting: Greeting,
        capabilities: Capabilities,
        registry: Arc<Registry>,
        grammar: Arc<Grammar>,
        limits: Limits,
        now: u64,
    ) -> Self {
        Self {
            greeting,
            capabilities,
            registry,
            limits,
            link: Link::Beginning,
            was_ready: false,
            floor: Floor::new(now),
            microphone: Microphone::default(),
            playback: Playback::default(),
            lull: Lull::default(),
            repeats: Repeats::default(),
            fillers: Fillers::default(),
            ending: Ending::default(),
            questions: Vec::new(),
            grammar,
            opening: None,
            told_late: false,
            open: Vec::new(),
            running: Vec::new(),
            failed: None,
            cut: false,
            audio_suppressed: false,
            transcript_suppressed: false,
            began: now,
            active: now,
            acts: Vec::new(),
        }
    }

    /// Notes when the model was told a late result.
    pub(crate) fn note_late(&mut self, now: u64) {
        if std::mem::take(&mut self.told_late) {
            self.lull.told_late(now);
        }
    }

    /// What is to be done, in order.
    pub(crate) fn take_acts(&mut self) -> Vec<Act> {
        std::mem::take(&mut self.acts)
    }

    /// Takes the room for acts back, so that the audio path does not allocate.
    pub(crate) fn give_back(&mut self, mut acts: Vec<Act>) {
        acts.clear();
        if self.acts.is_empty() {
            self.acts = acts;
        }
    }

    /// What the conversation shows of itself.
    pub(crate) fn on_state(&mut self, state: &ConversationState) {
        self.audio_suppressed = state.audio_suppressed();
        self.transcript_suppressed = state.transcript_suppressed();
    }

    /// Whether the person is still listened to.
    pub(crate) fn listens(&self) -> bool {
        !self.ending.is_blocked()
    }

    /// Whether the provider understands what is spoken.
    pub(crate) fn hears(&self) -> bool {
        self.capabilities.hears == Support::Yes
    }

    /// Whether the model waits for answers.
    pub(crate) fn has_open_calls(&self) -> bool {
        !self.open.is_empty()
    }

    /// When something is to be done without anything happening.
    pub(crate) fn due(&self) -> u64 {
        let idle = self.active.saturating_add(self.limits.idle_ms);
        let most = self.began.saturating_add(self.limits.max_duration_ms);
        let lull = self.lull.due(self.playback.until()).filter(|_| !self.has_open_calls());
        let others = [self.fillers.due(), self.ending.due(), lull, self.microphone.due()];
        others.into_iter().flatten().fold(idle.min(most), u64::min)
    }

    /// Time has passed.
    pub(crate) fn on_time(&mut self, now: u64) {
        if let Some(sentence) = self.fillers.on_time(now) {
            self.order(Order::Say(sentence));
        }
        if self.ending.is_overdue(now) {
            self.overdue();
        }
        if self.microphone.was_turned_off(now) {
            self.order(Order::AudioEnd);
        }
        if !self.has_open_calls() && self.lull.is_overdue(now, self.playback.until()) {
            self.order(Order::TurnOverdue);
        }
        let busy = self.has_open_calls() || self.playback.is_playing(now);
        if now >= self.began.saturating_add(self.limits.max_duration_ms) {
            self.end(Reason::MaxDuration);
        } else if busy {
            self.active = now;
        } else if now >= self.active.saturating_add(self.limits.idle_ms) {
            self.end(Reason::Idle);
        }
    }

    fn act(&mut self, act: Act) {
        self.acts.push(act);
    }

    fn tell(&mut self, message: Down) {
        self.acts.push(Act::Tell(message));
    }

    fn order(&mut self, order: Order) {
        self.acts.push(Act::Order(order));
    }

    fn end(&mut self, end: impl Into<End>) {
        if self.ending.end_once() {
            self.acts.push(Act::End(end.into()));
        }
    }

    /// The model does something.
    fn model_acts(&mut self) {
        self.cut = false;
        if self.floor.model_acts() == Some(Turn::BeginsWithoutWords) {
            // Nothing is known of what was said, so it answers no question.
            self.act(Act::Turn(TurnInput::Written));
        }
    }

    /// Whether there is anything to cut into.
    fn can_cut_in(&self, now: u64) -> bool {
        self.playback.is_playing(now) || self.floor.is_models() || self.has_open_calls()
    }

    /// How much of what plays was heard. Where the audio is suppressed, the words were read.
    fn played_ms(&self, now: u64) -> u64 {
        match self.audio_suppressed {
            true => u64::MAX,
            false => self.playback.played_ms(now),
        }
    }

    /// The person cuts in, if there is anything to cut into.
    fn cut_in(&mut self, now: u64) {
        if self.can_cut_in(now) {
            self.stop_model(now);
        }
    }

    /// The model is not listened to any more, whether or not it can be cut short.
    fn stop_model(&mut self, now: u64) {
        if std::mem::replace(&mut self.cut, true) {
            return;
        }
        self.act(Act::Hush);
        if let Some(heard) = self.playback.stop(now)
            && self.capabilities.truncate.is_yes()
        {
            let (utterance, played_ms) = (heard.utterance, heard.played_ms);
            self.order(Order::Truncate { utterance, played_ms });
        }
        self.act(Act::Interrupt);
        self.tell(Down::Interrupted);
    }
}

#[cfg(test)]
#[path = "bridge_tests.rs"]
mod tests;
