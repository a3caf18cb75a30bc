//! The input as the rules see it: the words to answer, the facts found since, the latest item.

use serde_json::Value;

use super::argument::ASKING;
use super::citation;
use super::date_time::{LocalDate, today};
use super::family::Family;
use super::intent::{abuse, is_another_request, offer, past_courtesies};
use super::late::{self, LateResult};
use super::outcome::ToolOutcome;
use super::request;
use super::revision::{self, Revision};
use super::shorthand;
use super::word::{fold, stem, stems, telling};
use aileron_contract::model_input::{Channel, HistoryItem, ModelInput, ToolDeclaration};

/// Phrases that repeat the question before for another subject.
const INSTEAD: &[&str] = &["what about", "how about"];

/// The maximum length of a person's text that is read.
const LONGEST: usize = 20_000;

/// How the person is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressStyle {
    Written,
    Spoken,
}

/// A call with its outcome.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompletedCall {
    pub(super) tool: String,
    pub(super) family: Option<Family>,
    /// The arguments of the call, if they are still known.
    pub(super) args: Value,
    pub(super) outcome: ToolOutcome,
    /// Whether it belongs to the words that are being answered.
    pub(super) recent: bool,
    /// Its index among the items of the input.
    pub(super) at: usize,
}

/// The latest item.
#[derive(Debug)]
pub(super) enum LatestInput {
    Words,
    Results(Vec<CompletedCall>),
    Nothing,
}

#[derive(Debug)]
pub(super) struct Situation<'a> {
    pub(super) input: &'a ModelInput,
    /// The person's words without insults, with the earlier words if they reply to a question of
    /// the agent.
    pub(super) words: String,
    /// The last words alone.
    pub(super) latest: String,
    /// The latest words, folded.
    pub(super) folded: String,
    pub(super) manner: AddressStyle,
    pub(super) today: Option<LocalDate>,
    /// Every result so far, the oldest first.
    pub(super) known: Vec<CompletedCall>,
    fresh: usize,
    /// The index of the last words.
    last: usize,
}

impl<'a> Situation<'a> {
    pub(super) fn new(input: &'a ModelInput) -> Self {
        let last = input.items.iter().rposition(is_person);
        let today = today(&input.instructions);
        let known = known(input, last.unwrap_or(0));
        let past = PastTurns { items: &input.items, known: &known, today: today.as_ref() };
        let words = last.map(|at| past.words(at)).unwrap_or_default();
        let latest = words.last().cloned().unwrap_or_default();
        let words = abuse::without_insults(&words.join("\n"));
        let fresh = fresh(input, &known);
        let folded = fold(&latest);
        let manner = manner(input, last);
        Self { input, words, latest, folded, manner, today, known, fresh, last: last.unwrap_or(0) }
    }

    /// The items that the model has not reacted to.
    pub(super) fn news(&self) -> LatestInput {
        match self.input.items.last() {
            None => LatestInput::Nothing,
            Some(_) if self.fresh > 0 => {
                LatestInput::Results(self.known[self.known.len() - self.fresh..].to_vec())
            }
            Some(_) => LatestInput::Words,
        }
    }

    /// The declared tool of a family.
    pub(super) fn tool(&self, family: Family) -> Option<&'a ToolDeclaration> {
        self.input.tools.iter().find(|tool| Family::of(tool) == Some(family))
    }

    /// The last successful result of a family, with its output.
    pub(super) fn last_done(&self, family: Family) -> Option<(&CompletedCall, &Value)> {
        self.known.iter().rev().filter(|known| known.family == Some(family)).find_map(|known| {
            match &known.outcome {
                ToolOutcome::Done(output) => Some((known, output)),
                ToolOutcome::Failed(_) => None,
            }
        })
    }

    /// The person's messages after an index and before the last one.
    pub(super) fn heard_since(&self, at: usize) -> impl Iterator<Item = &str> {
        heard(self.before().get(at..).unwrap_or_default())
    }

    /// Everything before the last words.
    pub(super) fn before(&self) -> &'a [HistoryItem] {
        self.input.items.get(..self.last).unwrap_or_default()
    }

    /// The agent's messages before these words, the last first.
    pub(super) fn said_before(&self) -> impl Iterator<Item = &str> {
        said(self.before())
    }

    /// The last person whose record an answer cites, by name.
    pub(super) fn person_spoken_of(&self) -> Option<String> {
        let mut ids = self.said_before().flat_map(citation::cited);
        ids.find(|id| id.starts_with("person:")).map(citation::spelt)
    }

    /// How many calls of a family were made for the words that are answered.
    pub(super) fn tries(&self, family: Family) -> usize {
        self.known.iter().filter(|known| known.recent && known.family == Some(family)).count()
    }
}

fn is_person(item: &HistoryItem) -> bool {
    matches!(item, HistoryItem::Heard { text, .. } if !late::is_notice(text))
}

/// The agent's messages among items, the last first.
fn said(items: &[HistoryItem]) -> impl Iterator<Item = &str> {
    items.iter().rev().filter_map(|item| match item {
        HistoryItem::Said { text } => Some(text.as_str()),
        HistoryItem::Heard { .. } | HistoryItem::Called(_) | HistoryItem::Returned(_) => None,
    })
}

/// The person's messages among items.
pub(super) fn heard(items: &[HistoryItem]) -> impl Iterator<Item = &str> {
    items.iter().filter(|item| is_person(item)).filter_map(|item| match item {
        HistoryItem::Heard { text, .. } => Some(text.as_str()),
        HistoryItem::Said { .. } | HistoryItem::Called(_) | HistoryItem::Returned(_) => None,
    })
}

/// The conversation so far, to find the earlier words that a message belongs to.
struct PastTurns<'a> {
    items: &'a [HistoryItem],
    known: &'a [CompletedCall],
    today: Option<&'a LocalDate>,
}

impl PastTurns<'_> {
    /// The words at an index, after the words that they reply to or change.
    fn words(&self, at: usize) -> Vec<String> {
        let mut words = Vec::new();
        let mut next = Some(at);
        while let Some(at) = next {
            let text = self.text(at);
            let text = past_courtesies(&text);
            words.push(text.to_owned());
            next = self.answered(at, text).or_else(|| self.changed(at, text));
        }
        if let [only] = words.as_slice()
            && let Some(question) = self.carried(at, only)
        {
            words.push(question);
        }
        words.reverse();
        words
    }

    /// The question before "what about Lantern?", without the name of its subject.
    fn carried(&self, at: usize, text: &str) -> Option<String> {
        request::after(request::order(&fold(text)), INSTEAD)?;
        let before = self.items[..at].iter().rposition(is_person)?;
        let topic = said(&self.items[before..at]).find_map(|said| citation::cited(said).next())?;
        let (topic, question) = (stems(&citation::spelt(topic)), self.text(before));
        let rest = question.split_whitespace().filter(|word| !topic.contains(&stem(word)));
        let rest = rest.collect::<Vec<_>>().join(" ");
        (!telling(&rest).is_empty()).then_some(rest)
    }

    fn text(&self, at: usize) -> String {
        let said: String = heard(&self.items[at..=at]).flat_map(str::chars).take(LONGEST).collect();
        shorthand::written_out(&said)
    }

    /// The message about which the agent asked a question that this message answers.
    fn answered(&self, at: usize, text: &str) -> Option<usize> {
        let before = self.items[..at].iter().rposition(is_person)?;
        let asked = self.items[before..at]
            .iter()
            .any(|item| matches!(item, HistoryItem::Said { text } if text.contains(ASKING)));
        let when = revision::of(text, self.today) == Some(Revision::When);
        (asked && (when || !is_another_request(text))).then_some(before)
    }

    /// The message whose offer this one changes.
    fn changed(&self, at: usize, text: &str) -> Option<usize> {
        let offer = offer::changes(text, self.known, &self.items[..at], self.today)?;
        self.items[..offer.at].iter().rposition(is_person)
    }
}

fn known(input: &ModelInput, since: usize) -> Vec<CompletedCall> {
    let results = input.items.iter().enumerate().filter_map(|(at, item)| {
        let (tool, outcome, args) = match item {
            HistoryItem::Returned(returned) => (
                returned.name.clone(),
                ToolOutcome::read(&returned.result),
                args(input, returned.id.as_str()),
            ),
            HistoryItem::Heard { text, .. } => {
                let LateResult { tool, outcome } = late::read(text)?;
                (tool, outcome, Value::Null)
            }
            HistoryItem::Said { .. } | HistoryItem::Called(_) => return None,
        };
        let declared = input.tools.iter().find(|declared| declared.name == tool);
        let family = declared.map_or_else(|| Family::of_name(&tool), Family::of);
        Some(CompletedCall { tool, family, args, outcome, recent: at > since, at })
    });
    results.collect()
}

fn args(input: &ModelInput, id: &str) -> Value {
    let call = input.items.iter().find_map(|item| match item {
        HistoryItem::Called(call) if call.id.as_str() == id => Some(call.args.clone()),
        _ => None,
    });
    call.map(Value::Object).unwrap_or_default()
}

/// How many results are at the very end.
fn fresh(input: &ModelInput, known: &[CompletedCall]) -> usize {
    let is_result = |item: &&HistoryItem| match item {
        HistoryItem::Returned(_) => true,
        HistoryItem::Heard { text, .. } => late::read(text).is_some(),
        HistoryItem::Said { .. } | HistoryItem::Called(_) => false,
    };
    input.items.iter().rev().take_while(is_result).count().min(known.len())
}

fn manner(input: &ModelInput, last: Option<usize>) -> AddressStyle {
    let channel = last.and_then(|at| match &input.items[at] {
        HistoryItem::Heard { channel, .. } => Some(*channel),
        HistoryItem::Said { .. } | HistoryItem::Called(_) | HistoryItem::Returned(_) => None,
    });
    let ends_voice = input.tools.iter().any(|tool| Family::of(tool) == Some(Family::EndVoice));
    match channel {
        Some(Channel::Spoken) => AddressStyle::Spoken,
        Some(Channel::Written) | None if ends_voice => AddressStyle::Spoken,
        Some(Channel::Written) | None => AddressStyle::Written,
    }
}
