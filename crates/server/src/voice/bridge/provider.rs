//! What the provider does, and how its connection fares.

use aileron_contract::ToolCall;
use aileron_contract::transport::{About, Event, Severity, Speaker, Stage, TurnEnd, Utterance};
use aileron_orchestrator::TurnInput;
use aileron_transports::session::ConnectionNotice;

use super::{Act, Bridge, Link, Order, Turn};
use crate::voice::protocol::{Down, ErrorCode, Reason, Role};

const MENDING: &str = "the connection to the voice was lost and is being made again; please wait";

const NOT_YET: &str = "the voice cannot be reached yet; it is tried again; please wait";

const GIVEN_UP: &str = "several connections to it were lost before it replied";

const UNFINISHED: &str = "the voice did not finish its reply";

impl Bridge {
    /// The provider reported something.
    pub(crate) fn on_event(&mut self, event: Event, now: u64) {
        match event {
            Event::Audio { utterance, pcm } => self.audio(utterance, pcm, now),
            Event::Transcript { by: Speaker::Model, text, stage } => {
                // What is final was said before, and may be all that is left of a reply that was cut
                // short.
                if stage != Stage::Final {
                    self.model_acts();
                }
                self.transcript(Role::Assistant, text, stage);
            }
            Event::Transcript { by: Speaker::Person, text, stage } => self.heard(text, stage, now),
            Event::ToolCalls(calls) => self.calls(calls, now),
            Event::CallsCancelled(calls) => self.act(Act::Cancel(calls)),
            Event::SpeechStarted => {
                self.active = now;
                self.cut_in(now);
                self.floor.speech_started(now);
                self.playback.unmute();
            }
            Event::Interrupted => {
                self.cut_in(now);
                self.floor.cut_short(now);
                self.lull.cut_short();
            }
            Event::TurnComplete(end) => self.turn_complete(&end, now),
            Event::Ready { .. } => self.ready(),
            Event::SpeechStopped => {
                self.active = now;
                self.lull.asked(now);
            }
            Event::GenerationComplete => self.lull.delivered(now),
            Event::Fault(fault) if fault.about == About::Reply => self.failed = Some(fault.reason),
            Event::Connected { .. }
            | Event::GoingAway { .. }
            | Event::Resumption { .. }
            | Event::Usage(_)
            | Event::RateLimits(_)
            | Event::Fault(_)
            | Event::Closed(_)
            | Event::Unknown { .. } => {}
        }
    }

    /// The connection to the provider fared somehow.
    pub(crate) fn on_notice(&mut self, notice: ConnectionNotice, now: u64) {
        match notice {
            ConnectionNotice::Interrupted { .. } => {
                self.connection_lost(now);
                let message = match std::mem::replace(&mut self.link, Link::Mending) {
                    Link::Beginning => NOT_YET,
                    Link::Up => MENDING,
                    Link::Mending => return,
                };
                self.tell(Down::error(ErrorCode::Reconnecting, message));
            }
            ConnectionNotice::Unanswered => self.unanswered(now),
            ConnectionNotice::Restored | ConnectionNotice::Ended => {}
            ConnectionNotice::Lost(fault) => {
                // The provider's own words may quote what was said, so ours have to do.
                let what = if fault.severity == Severity::Fatal { "refused" } else { "lost" };
                let message = format!("the connection to the voice was {what}: {}", fault.reason);
                self.tell(Down::error(ErrorCode::UpstreamLost, message));
                self.end(Reason::UpstreamLost);
            }
        }
    }

    fn connection_lost(&mut self, now: u64) {
        self.floor.connection_lost(now);
        self.cut = false;
        self.lull.cut_short();
    }

    /// The person's words are not asked again: they would wait for a reply that does not come.
    fn unanswered(&mut self, now: u64) {
        self.floor.model_finished(now);
        self.lull.over();
        self.failed = Some(GIVEN_UP);
        let end = TurnEnd::Stopped(String::new());
        self.unfinished(&end);
        self.tell(Down::TurnComplete);
        self.turn_ended(&end);
    }

    fn ready(&mut self) {
        self.repeats.reconnected();
        self.playback.reconnected();
        let before = std::mem::replace(&mut self.link, Link::Up);
        if before != Link::Up {
            self.tell(self.greeting.message());
        }
        if !std::mem::replace(&mut self.was_ready, true) {
            self.act(Act::TakeOpening);
        }
    }

    fn audio(&mut self, utterance: Utterance, pcm: Vec<u8>, now: u64) {
        self.model_acts();
        self.active = now;
        self.lull.acts();
        if self.audio_suppressed || !self.playback.wants(utterance) {
            return;
        }
        self.playback.sent(utterance, pcm.len(), now);
        self.act(Act::Play(pcm));
    }

    fn transcript(&mut self, role: Role, text: String, stage: Stage) {
        if self.transcript_suppressed {
            return;
        }
        self.tell(Down::Transcript {
            role,
            text,
            r#final: stage == Stage::Final,
            replaces: stage == Stage::Interim,
        });
    }

    /// The person's words. A final transcription begins a turn or belongs to one, and may answer a
    /// question.
    fn heard(&mut self, text: String, stage: Stage, now: u64) {
        self.active = now;
        if !self.listens() {
            return;
        }
        if stage == Stage::Final {
            let text = text.clone();
            match self.floor.words(now) {
                Turn::Begins { began_ms } => {
                    self.playback.unmute();
                    self.lull.asked(now);
                    self.act(Act::Turn(TurnInput::Spoken { text, began_ms }));
                }
                Turn::GoesOn { began_ms } => self.act(Act::Hear { text, began_ms }),
                Turn::BeginsWithoutWords => {}
            }
        }
        self.transcript(Role::User, text, stage);
    }

    fn calls(&mut self, calls: Vec<ToolCall>, now: u64) {
        self.model_acts();
        self.active = now;
        self.lull.acts();
        self.open.extend(calls.iter().map(|call| call.call_id.clone()));
        let sorted = self.repeats.sort(calls, &self.registry);
        if !sorted.answers.is_empty() {
            self.open.retain(|id| !sorted.answers.iter().any(|answer| answer.call_id == *id));
            self.order(Order::Results(sorted.answers));
        }
        if !sorted.calls.is_empty() {
            self.act(Act::Call(sorted.calls));
        }
    }

    fn turn_complete(&mut self, end: &TurnEnd, now: u64) {
        self.active = now;
        self.floor.model_finished(now);
        self.playback.unmute();
        if *end == TurnEnd::Interrupted {
            self.lull.cut_short();
        } else {
            self.lull.over();
            self.repeats.settled();
        }
        self.unfinished(end);
        self.tell(Down::TurnComplete);
        self.turn_ended(end);
        if *end != TurnEnd::Interrupted
            && let Some(text) = self.opening.take()
        {
            self.open(text, now);
        }
    }

    /// A reply that the provider stopped is told: the person would wait for it.
    fn unfinished(&mut self, end: &TurnEnd) {
        let failed = self.failed.take();
        if let TurnEnd::Stopped(_) = end {
            let message = match failed {
                Some(reason) => format!("{UNFINISHED}: {reason}; please try again"),
                None => format!("{UNFINISHED}; please say it again, or otherwise"),
            };
            self.tell(Down::error(ErrorCode::ReplyFailed, message));
        }
    }
}
