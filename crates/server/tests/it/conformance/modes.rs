//! The same script in the other mode. Text and voice decide alike, unless the numbers that are set
//! for each mode, what a tool declares, or what only speech can do says otherwise.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_contract::{ErrorType, Mode};
use aileron_orchestrator::Config;
use aileron_orchestrator::config::PerMode;
use aileron_rehearsal::{
    FailedExpectation, Run, RunOptions, RunResult, names, read, report, toolset,
};
use aileron_runtime::Tool;
use aileron_script::{Script, ScriptCall, ScriptStep, StepKind};
use aileron_store::MemoryStore;

use super::decisions::{Decisions, difference};

/// Why a script may have other results in the other mode, apart from the settings per mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Difference {
    /// It is in both modes already, or a process is killed in it.
    BothModes,
    /// A tool declares one mode, or the script is about limits that a tool declares for one.
    Declared,
    /// Words answer a question if they are spoken, and only then; so there is one at a time in voice.
    SpokenAnswer,
    /// Only speech can be interrupted, dated back and retracted.
    OnlySpoken,
}

/// The script in the other mode.
pub(super) fn in_other_mode(script: &Script) -> Script {
    let other = |step: &ScriptStep| {
        let what = match &step.what {
            StepKind::Writes { text } => StepKind::Says { text: text.clone(), begun_ms_ago: 0 },
            StepKind::Says { text, .. } => StepKind::Writes { text: text.clone() },
            what => what.clone(),
        };
        ScriptStep { what, ..step.clone() }
    };
    let mode = match script.mode {
        Mode::Text => Mode::Voice,
        Mode::Voice => Mode::Text,
    };
    let name = format!("{}, in {}", script.name, mode.as_str());
    // A script covers its features only in its own mode.
    let (steps, covers) = (script.steps.iter().map(other).collect(), Vec::new());
    Script { name, mode, steps, covers, ..script.clone() }
}

/// Whether it makes sense to hold the script in the other mode.
pub(super) fn has_other_mode(script: &Script) -> bool {
    !matches!(may_differ(script), Some(Difference::BothModes | Difference::OnlySpoken))
}

/// Why a script may come out otherwise in the other mode.
pub(super) fn may_differ(script: &Script) -> Option<Difference> {
    let mut asked = false;
    script.steps.iter().find_map(|step| {
        let found = match &step.what {
            StepKind::Opens { .. }
            | StepKind::Moves(_)
            | StepKind::Crash
            | StepKind::Reported(_) => Some(Difference::BothModes),
            StepKind::Interrupt | StepKind::Cancel(_) => Some(Difference::OnlySpoken),
            StepKind::Says { begun_ms_ago: 1.., .. } => Some(Difference::OnlySpoken),
            StepKind::Says { .. } | StepKind::Writes { .. } if asked => {
                Some(Difference::SpokenAnswer)
            }
            StepKind::Calls(_) if asked && asks(step) => Some(Difference::SpokenAnswer),
            StepKind::Calls(calls) | StepKind::Starts(calls) if !calls.iter().all(is_for_both) => {
                Some(Difference::Declared)
            }
            _ => None,
        };
        asked = asks(step) || (asked && !matches!(step.what, StepKind::Clicks { .. }));
        found
    })
}

/// Whether a tool may be used in both modes. One that nobody knows is unknown in both.
fn is_for_both(call: &ScriptCall) -> bool {
    let allowed = |tool: &Arc<Tool>| {
        let modes = &tool.spec().allowed_modes;
        modes.contains(Mode::Text) && modes.contains(Mode::Voice)
    };
    toolset::ALL.tool(&call.tool).is_none_or(allowed)
}

/// Whether a question is put in this step.
fn asks(step: &ScriptStep) -> bool {
    let word = ErrorType::ConfirmationRequired.as_str();
    step.expected.iter().any(|expected| expected.word == word)
}

/// The numbers that are shipped for this mode, for both, and tools without limits for one of them.
pub(super) fn alike(mode: Mode) -> RunOptions {
    let shipped = Config::default();
    let (budget, deadline, result) =
        (*shipped.budgets.of(mode), *shipped.deadlines.of(mode), *shipped.results.of(mode));
    let mut config = shipped.clone();
    config.budgets = PerMode { text: budget, voice: budget };
    config.deadlines = PerMode { text: deadline, voice: deadline };
    config.results = PerMode { text: result, voice: result };
    (config.retries.text, config.retries.voice) =
        (shipped.retries.max(mode), shipped.retries.max(mode));
    RunOptions { config, registry: toolset::ALIKE.clone() }
}

/// Runs a script directly on these terms.
pub(super) async fn rehearsed(
    script: &Script,
    terms: RunOptions,
) -> Result<RunResult, FailedExpectation> {
    let mut run = Run::with(script, Arc::new(MemoryStore::new()), terms).await;
    run.follow(&script.steps).await?;
    run.end(script).await
}

#[tokio::test]
async fn text_and_voice_decide_alike_where_nothing_says_otherwise() {
    let mut alike_in_both = 0;
    let mut excused: BTreeMap<Difference, Vec<String>> = BTreeMap::new();
    for script in names().iter().map(|name| read(name)) {
        match compared(&script).await {
            None => alike_in_both += 1,
            Some(why) => excused.entry(why).or_default().push(script.name),
        }
    }
    assert!(alike_in_both >= 35, "{alike_in_both} alike; the others: {excused:#?}");
}

/// Why a script may be decided otherwise in the other mode, and not for the numbers alone. One about
/// limits that a tool declares for its mode does not come true without them.
pub(super) async fn why_different(script: &Script) -> Option<Difference> {
    match may_differ(script) {
        None if rehearsed(script, alike(script.mode)).await.is_err() => Some(Difference::Declared),
        why => why,
    }
}

/// Compares a script with itself in the other mode, or says why it may differ.
async fn compared(script: &Script) -> Option<Difference> {
    if let Some(why) = why_different(script).await {
        return Some(why);
    }
    let own = rehearsed(script, alike(script.mode)).await;
    let own = own.unwrap_or_else(|fault| panic!("{}", report(&script.name, &fault)));
    let other = in_other_mode(script);
    let found = rehearsed(&other, alike(script.mode)).await;
    let found = found.unwrap_or_else(|fault| panic!("{}", report(&other.name, &fault)));
    let [own, found] = [own, found].map(|one| Decisions::of_any_mode(&one));
    if let Some(difference) = difference(&own, &found) {
        panic!("{}: {difference}", other.name);
    }
    None
}
