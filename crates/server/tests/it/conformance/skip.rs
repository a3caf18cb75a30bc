//! Scripts that a transport cannot play, and why. Nothing is skipped by its name: each reason
//! follows from the steps of a script and from the transport's capabilities.

use std::collections::BTreeMap;

use aileron_contract::{Arguments, CallId, Mode};
use aileron_script::{ProviderReport, Script, ScriptCall, ScriptStep, StepKind};

use super::transport::Transport;

/// Why a script is not played over a transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Skip {
    /// The script is held in the other mode, from its beginning to its end.
    OtherMode,
    /// A process is killed in the middle. The pipeline's own tests do that, with a store on disk.
    ProcessCrash,
    /// The provider never takes a call back: `Cancellation::Never`, or a request that waits.
    NoCancellation,
    /// In text, a model waits for its results before it calls again, and the person cannot
    /// interrupt.
    OneMessageAtATime,
    /// In writing there is no speech.
    NoSpeech,
    /// A live connection tells of speech when it begins, so that no utterance can be dated back.
    DatedBack,
    /// A provider's calls carry an object.
    ArgumentsAreNoObject,
    /// A provider's id identifies one call: in text within the whole history, which is sent each
    /// time, and live within a connection, where the same call may come twice but not another one.
    IdsAreUnique,
    /// A model does nothing over a live connection until the person has spoken.
    NobodySpoke,
    /// A blocked person is refused before their click is read.
    TurnedAway,
    /// A new voice session waits for the text answer in progress.
    AnswerUnderWay,
    /// The result of a task is told when the transport can: live when it is there, in writing with the
    /// next message.
    ToldInItsOwnTime,
    /// Tasks still run at the end of the script, and a server that stops waits for them.
    TasksLeftRunning,
    /// A conversation that was left has no connection over which a model could call.
    LeftBehind,
}

/// Why this transport cannot play the script, if it cannot.
pub(super) fn skip(transport: Transport, script: &Script) -> Option<Skip> {
    if !modes(script).contains(&transport.mode()) {
        return Some(Skip::OtherMode);
    }
    let mut mode = script.mode;
    let mut place = Place::default();
    let found = script.steps.iter().find_map(|step| {
        let within = if mode == transport.mode() { transport } else { transport.companion() };
        let found = place.skip(within, step);
        mode = moved_to(step).unwrap_or(mode);
        found
    });
    found.or_else(|| leaves_tasks(script).then_some(Skip::TasksLeftRunning))
}

/// Whether more tasks begin in a script than are waited for.
fn leaves_tasks(script: &Script) -> bool {
    let expected = script.steps.iter().flat_map(|step| &step.expected);
    let parts = expected.filter_map(|expected| expected.part.as_ref());
    let begun = parts.filter(|part| part["status"] == "running").count();
    let is_end = |step: &&ScriptStep| matches!(&step.what, StepKind::Event(text) if text.starts_with("task "));
    begun > script.steps.iter().filter(is_end).count()
}

/// The modes that a script is held in.
fn modes(script: &Script) -> Vec<Mode> {
    let others = script.steps.iter().filter_map(moved_to);
    std::iter::once(script.mode).chain(others).collect()
}

/// The mode a conversation is in after a step that succeeds in changing it.
pub(super) fn moved_to(step: &ScriptStep) -> Option<Mode> {
    let refused = step.expected.first().is_some_and(|expected| expected.word != "ok");
    match &step.what {
        StepKind::Opens { mode, .. } | StepKind::Moves(mode) if !refused => Some(*mode),
        _ => None,
    }
}

/// Where a script has come to.
#[derive(Debug, Default)]
struct Place {
    /// Messages whose answers were not delivered.
    started: usize,
    left: bool,
    /// Whether the person has not spoken since the connection began.
    silent: bool,
    /// The calls that were made.
    made: BTreeMap<CallId, ScriptCall>,
}

impl Place {
    fn skip(&mut self, transport: Transport, step: &ScriptStep) -> Option<Skip> {
        let in_writing = transport.mode() == Mode::Text;
        let busy = self.started > 0;
        self.follow(step);
        match &step.what {
            _ if is_told(step) => Some(Skip::ToldInItsOwnTime),
            StepKind::Event(text) if !in_writing && text.starts_with("task ") => {
                Some(Skip::ToldInItsOwnTime)
            }
            StepKind::Crash => Some(Skip::ProcessCrash),
            StepKind::Cancel(_) if !transport.takes_back() => Some(Skip::NoCancellation),
            StepKind::Calls(_) | StepKind::Starts(_) if self.left => Some(Skip::LeftBehind),
            StepKind::Calls(_) | StepKind::Starts(_) | StepKind::Interrupt
                if in_writing && busy =>
            {
                Some(Skip::OneMessageAtATime)
            }
            StepKind::Opens { .. } | StepKind::Moves(_)
                if in_writing && busy && moved_to(step) == Some(Mode::Voice) =>
            {
                Some(Skip::AnswerUnderWay)
            }
            StepKind::Calls(_) | StepKind::Starts(_) if !in_writing && self.silent => {
                Some(Skip::NobodySpoke)
            }
            StepKind::Calls(calls) | StepKind::Starts(calls) if self.repeats(calls, transport) => {
                Some(Skip::IdsAreUnique)
            }
            StepKind::Clicks { .. } if in_writing && is_by_the_door(step) => Some(Skip::TurnedAway),
            StepKind::Says { .. } if in_writing => Some(Skip::NoSpeech),
            StepKind::Says { begun_ms_ago: 1.., .. } => Some(Skip::DatedBack),
            StepKind::Calls(calls) | StepKind::Starts(calls) if !calls.iter().all(has_object) => {
                Some(Skip::ArgumentsAreNoObject)
            }
            _ => None,
        }
    }

    fn follow(&mut self, step: &ScriptStep) {
        match &step.what {
            StepKind::Starts(_) => self.started += 1,
            StepKind::Gets => self.started -= 1,
            StepKind::Reported(ProviderReport::PersonLeaves) => self.left = true,
            StepKind::Opens { id, .. } if moved_to(step).is_some() => {
                self.left = false;
                self.silent = true;
                if id.is_some() {
                    self.made.clear();
                }
            }
            StepKind::Moves(_)
            | StepKind::Restart(_)
            | StepKind::Reported(ProviderReport::VoiceConnectionIsBack) => {
                self.silent = true;
            }
            StepKind::Says { .. } | StepKind::Writes { .. } | StepKind::Clicks { .. } => {
                self.silent = false;
            }
            _ => {}
        }
    }

    /// Whether the id of any of these calls was another's, or in writing the same call's.
    fn repeats(&mut self, calls: &[ScriptCall], transport: Transport) -> bool {
        let mut repeats = false;
        for call in calls {
            let before = self.made.insert(call.id.clone(), call.clone());
            repeats |= before.is_some_and(|before| match transport.mode() {
                Mode::Text => true,
                Mode::Voice => before != *call,
            });
        }
        repeats
    }
}

/// Whether results of tasks are told in a step.
fn is_told(step: &ScriptStep) -> bool {
    step.expected.iter().any(|expected| expected.word == "told")
}

/// Whether the door refuses what a click would lead to.
fn is_by_the_door(step: &ScriptStep) -> bool {
    step.expected.iter().any(|expected| expected.by.as_deref() == Some("conversation_state"))
}

fn has_object(call: &ScriptCall) -> bool {
    Arguments::parse(&call.args).into_value().is_object()
}
