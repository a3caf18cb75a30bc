//! The same script in the other mode. Text and voice decide alike, unless the numbers that are set
//! for each mode, what a tool declares, or what only speech can do says otherwise.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_contract::{ErrorType, Mode};
use aileron_orchestrator::config::PerMode;
use aileron_orchestrator::Config;
use aileron_rehearsal::{Fault, Rehearsed, Run, names, read, report, toolset};
use aileron_script::{Call, Script, Step, What};
use aileron_store::MemoryStore;

use super::decisions::{Decisions, difference};

/// What may make a script come out otherwise in the other mode, apart from the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Difference {
    /// It is in both modes already, or a process is killed in it.
    BothModes,
    /// A tool declares other modes, or other limits for voice.
    Declared,
    /// Words answer a question if they are spoken, and only then.
    SpokenAnswer,
    /// Only speech can be cut into, dated back and taken back.
    OnlySpoken,
}

/// The script in the other mode.
pub(super) fn in_other_mode(script: &Script) -> Script {
    let other = |step: &Step| {
        let what = match &step.what {
            What::Writes { text } => What::Says { text: text.clone(), begun_ms_ago: 0 },
            What::Says { text, .. } => What::Writes { text: text.clone() },
            what => what.clone(),
        };
        Step { what, ..step.clone() }
    };
    let mode = match script.mode {
        Mode::Text => Mode::Voice,
        Mode::Voice => Mode::Text,
    };
    let name = format!("{}, in {}", script.name, mode.as_str());
    Script { name, mode, steps: script.steps.iter().map(other).collect(), ..script.clone() }
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
            What::Opens { .. } | What::Moves(_) | What::Crash | What::Reported(_) => {
                Some(Difference::BothModes)
            }
            What::Interrupt | What::Cancel(_) => Some(Difference::OnlySpoken),
            What::Says { begun_ms_ago: 1.., .. } => Some(Difference::OnlySpoken),
            What::Says { .. } | What::Writes { .. } if asked => Some(Difference::SpokenAnswer),
            What::Calls(calls) | What::Starts(calls) if calls.iter().any(is_declared) => {
                Some(Difference::Declared)
            }
            _ => None,
        };
        let asks = ErrorType::ConfirmationRequired.as_str();
        asked |= step.expected.iter().any(|expected| expected.word == asks);
        found
    })
}

/// Whether a tool that is called, or that another is told to call, says itself that the modes differ.
fn is_declared(call: &Call) -> bool {
    let is_named = |id: &str| call.tool == id || call.args.contains(&format!("\"{id}\""));
    toolset::ALL.tools().iter().any(|tool| {
        let spec = tool.spec();
        let both = [Mode::Text, Mode::Voice].iter().all(|mode| spec.allowed_modes.contains(*mode));
        (!both || !spec.mode_limits.is_empty()) && is_named(spec.tool_id.as_str())
    })
}

/// The numbers that are shipped for this mode, for both.
fn alike(mode: Mode) -> Config {
    let shipped = Config::default();
    let (budget, deadline, result) =
        (*shipped.budgets.of(mode), *shipped.deadlines.of(mode), *shipped.results.of(mode));
    let mut config = shipped.clone();
    config.budgets = PerMode { text: budget, voice: budget };
    config.deadlines = PerMode { text: deadline, voice: deadline };
    config.results = PerMode { text: result, voice: result };
    (config.retries.text, config.retries.voice) =
        (shipped.retries.most(mode), shipped.retries.most(mode));
    config
}

/// Runs a script directly with these numbers.
pub(super) async fn rehearsed(script: &Script, config: Config) -> Result<Rehearsed, Fault> {
    let mut run = Run::with(script, Arc::new(MemoryStore::new()), config).await;
    run.follow(&script.steps).await?;
    run.end(script).await
}

#[tokio::test]
async fn text_and_voice_decide_alike_where_nothing_says_otherwise() {
    let mut alike_in_both = 0;
    let mut excused: BTreeMap<Difference, usize> = BTreeMap::new();
    for script in names().iter().map(|name| read(name)) {
        if let Some(why) = may_differ(&script) {
            *excused.entry(why).or_default() += 1;
            continue;
        }
        let config = alike(script.mode);
        let told = |fault: Fault, name: &str| report(name, &fault);
        let own = rehearsed(&script, config.clone()).await;
        let own = own.unwrap_or_else(|fault| panic!("{}", told(fault, &script.name)));
        let other = in_other_mode(&script);
        let found = rehearsed(&other, config).await;
        let found = found.unwrap_or_else(|fault| panic!("{}", told(fault, &other.name)));
        let [own, found] = [own, found].map(|one| Decisions::of_any_mode(&one));
        if let Some(difference) = difference(&own, &found) {
            panic!("{}: {difference}", other.name);
        }
        alike_in_both += 1;
    }
    assert!(alike_in_both >= 15, "{alike_in_both} alike; the others: {excused:?}");
}
