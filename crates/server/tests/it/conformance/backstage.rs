//! The provider in a box: the model is moved by the script, and what it was sent is kept.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::CallId;
use aileron_script::ScriptCall;
use aileron_simulator::control::{Control, Observed, ObservedEvent};
use aileron_simulator::manual_model::{ManualModel, ManualModelHandle, ManualTurn};
use aileron_simulator::simulated_model::{HistoryItem, ModelAction, ModelInput, PlannedCall};
use aileron_simulator::{Options, RunningSimulator, Simulator};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use super::decisions::{Views, late};

/// How long anything may take on a busy machine before it counts as missing.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Backstage {
    running: RunningSimulator,
    hand: ManualModelHandle,
    /// The newest time the model was asked, unless it has answered.
    turn: Option<ManualTurn>,
    sightings: UnboundedReceiver<Observed>,
    pub(super) views: Views,
    /// Everything that was seen, to be shown if something goes wrong.
    story: Vec<String>,
    /// The calls that the provider took back.
    taken_back: BTreeSet<String>,
    /// How many results came as text.
    late: usize,
    late_when_asked: usize,
    /// Whether the conversation came back to writing, so that the next request tells what was called
    /// aloud as history.
    is_back: bool,
}

impl Backstage {
    pub(super) async fn begin() -> Self {
        let (brain, hand) = ManualModel::new();
        let options = Options { model: Arc::new(brain), ..Options::default() };
        let running = Simulator::begin(options).await.unwrap();
        let sightings = running.control.watch();
        Self {
            running,
            hand,
            turn: None,
            sightings,
            views: Views::default(),
            story: Vec::new(),
            taken_back: BTreeSet::new(),
            late: 0,
            late_when_asked: 0,
            is_back: false,
        }
    }

    /// The conversation goes on in writing after it was held aloud.
    pub(super) fn is_back_in_writing(&mut self) {
        self.is_back = true;
    }

    pub(super) fn address(&self) -> String {
        self.running.address.to_string()
    }

    pub(super) fn control(&self) -> &Control {
        &self.running.control
    }

    /// Whether the model is asked something and has not answered.
    pub(super) fn is_asked(&mut self) -> bool {
        while let Some(Some(turn)) = self.hand.turn().now_or_never() {
            self.take(turn);
        }
        self.turn.as_ref().is_some_and(|turn| !turn.is_over())
    }

    /// Waits until the model is asked with this in what it knows. Asked for anything else, it has
    /// nothing to say.
    pub(super) async fn asked(
        &mut self,
        knows: impl Fn(&ModelInput) -> bool,
    ) -> Result<(), String> {
        loop {
            if self.is_asked() {
                match &self.turn {
                    Some(turn) if knows(&turn.scene) => return Ok(()),
                    _ => drop(self.answer(Vec::new())),
                }
            }
            let turn = tokio::time::timeout(PATIENCE, self.hand.turn()).await;
            let Ok(Some(turn)) = turn else { return Err("the model is not asked".to_owned()) };
            self.take(turn);
        }
    }

    fn take(&mut self, turn: ManualTurn) {
        self.story.push(format!("the model is asked: {:?}", turn.scene.items.last()));
        self.late_when_asked = late_in(&turn.scene);
        self.turn = Some(turn);
    }

    /// The model does this, asked or not.
    pub(super) fn act(&mut self, steps: Vec<ModelAction>) -> Result<(), String> {
        if self.is_asked() {
            self.answer(steps);
            return Ok(());
        }
        self.control().act(steps).map_err(|error| error.to_string())
    }

    /// The model answers what it was asked.
    pub(super) fn answer(&mut self, steps: Vec<ModelAction>) -> Option<ModelInput> {
        self.story.push(format!("the model answers {steps:?}"));
        self.turn.take().map(|turn| turn.does(steps))
    }

    /// The model replies with nothing, however often it is asked, until the future completes. A
    /// turn whose results arrive after the model was asked has a second reply.
    pub(super) async fn silent_until<T>(&mut self, awaited: impl Future<Output = T>) -> T {
        let mut awaited = pin!(awaited);
        loop {
            if self.is_asked() {
                self.answer(Vec::new());
            }
            tokio::select! {
                come = &mut awaited => return come,
                Some(turn) = self.hand.turn() => self.take(turn),
            }
        }
    }

    /// Notes what was sent over live connections.
    pub(super) fn look(&mut self) {
        while let Ok(sighting) = self.sightings.try_recv() {
            self.note(&sighting);
        }
    }

    fn note(&mut self, sighting: &Observed) {
        self.story.push(sighting.to_string());
        match &sighting.seen {
            ObservedEvent::Results(results) => {
                // Results of cancelled calls are skipped.
                let taken = results.iter().filter(|one| !self.taken_back.contains(one.id.as_str()));
                taken.for_each(|one| self.views.result(&one.id, &one.result));
            }
            ObservedEvent::Sent(frame) => {
                let ids = frame["toolCallCancellation"]["ids"].as_array();
                let ids = ids.into_iter().flatten().filter_map(Value::as_str);
                self.taken_back.extend(ids.map(str::to_owned));
            }
            ObservedEvent::Text { text, .. } => self.words(text),
            _ => {}
        }
    }

    /// Notes what came in writing with the newest request.
    pub(super) fn read(&mut self) {
        let Some(turn) = &self.turn else { return };
        if std::mem::take(&mut self.is_back) {
            return;
        }
        let results = turn.results();
        let fresh = turn.scene.items.iter().rev();
        let fresh = fresh.take_while(|item| {
            matches!(item, HistoryItem::Heard { .. } | HistoryItem::Returned(_))
        });
        let mut words: Vec<_> = fresh
            .filter_map(|item| match item {
                HistoryItem::Heard { text, .. } => Some(text.clone()),
                _ => None,
            })
            .collect();
        words.reverse();
        results.iter().for_each(|one| self.views.result(&one.id, &one.result));
        words.iter().for_each(|text| self.words(text));
    }

    fn words(&mut self, text: &str) {
        self.late += late(text).len();
        self.views.words(text);
    }

    /// How many results came as text so far.
    pub(super) fn late(&mut self) -> usize {
        self.look();
        self.late
    }

    /// How many results the model had received as text when it was last asked.
    pub(super) fn late_when_asked(&self) -> usize {
        self.late_when_asked
    }

    /// Waits until this many results came as text.
    pub(super) async fn was_told_late(&mut self, count: usize) -> Result<(), String> {
        while self.late() < count {
            let seen = tokio::time::timeout(PATIENCE, self.sightings.recv()).await;
            let Ok(Some(sighting)) = seen else {
                return Err(format!("{count} results in words; {} came", self.late));
            };
            self.note(&sighting);
        }
        Ok(())
    }

    /// Waits until the model received the result of a call as text.
    pub(super) async fn told_of(&mut self, call: &CallId) -> Result<(), String> {
        let told = format!("Call: {call}. Result: ");
        let is_told = |line: &String| line.contains("-> text") && line.contains(&told);
        loop {
            self.look();
            if self.story.iter().any(is_told) {
                return Ok(());
            }
            let seen = tokio::time::timeout(PATIENCE, self.sightings.recv()).await;
            let Ok(Some(sighting)) = seen else { return Err(format!("{call} is not told of")) };
            self.note(&sighting);
        }
    }

    /// The events so far, for a report.
    pub(super) fn story(&mut self) -> String {
        self.look();
        let from = self.story.len().saturating_sub(30);
        self.story[from..].join("\n")
    }
}

/// The calls of a message, with what stands for the newest token.
pub(super) fn message(calls: &[ScriptCall], token: &str) -> ModelAction {
    let asked = |call: &ScriptCall| {
        let filled = call.filled(token);
        let args = filled.args.into_value().as_object().cloned().unwrap_or_default();
        PlannedCall { id: Some(filled.call_id), name: filled.tool_id, args }
    };
    ModelAction::Call(calls.iter().map(asked).collect())
}

/// How often a call has its result in what the model knows.
pub(super) fn returned(scene: &ModelInput, call: &CallId) -> usize {
    let results = scene.items.iter().filter(|item| match item {
        HistoryItem::Returned(returned) => returned.id == *call,
        _ => false,
    });
    results.count()
}

/// How many results the model received as text.
pub(super) fn late_in(scene: &ModelInput) -> usize {
    let items = scene.items.iter().filter_map(|item| match item {
        HistoryItem::Heard { text, .. } => Some(text.as_str()),
        _ => None,
    });
    items.chain([scene.instructions.as_str()]).map(|text| late(text).len()).sum()
}

/// Whether these are the last words of the person that the model knows.
pub(super) fn heard(scene: &ModelInput, words: &str) -> bool {
    let last = scene.items.iter().rev().find_map(|item| match item {
        // Some providers join what comes before the model's next message.
        HistoryItem::Heard { text, .. } if late(text).is_empty() || !text.ends_with(']') => {
            Some(text)
        }
        _ => None,
    });
    last.is_some_and(|text| text.contains(words))
}
