//! `# Agent Loop`: look first, then answer, then propose, then commit, within the mode's limits.

use std::sync::Arc;

use aileron_contract::Mode;
use aileron_contract::spec::Category;
use aileron_orchestrator::config::Budget;
use aileron_runtime::Tool;

const SEARCH: &str = "**Look first.** If a fact is missing, search for it with the few words that \
matter before you answer. Do not guess, and do not search for what you were just given.";
const READ: &str = "**Read the best.** Read the one or two records that fit, by their ids. With an \
id in hand, read; do not search again.";
const ANSWER: &str = "**Answer from evidence.** Say what the records say and name their ids. If they do not say it, \
say so.";
const PROPOSE: &str =
    "**Propose.** If something is to be done, plan it first and show what would happen.";
const COMMIT: &str = "**Commit.** Do it only when the person wants exactly that. Where their \
approval is needed, they are asked by the page; wait for the result.";

/// The loop with the limits of this mode. Steps without a tool are omitted.
pub(super) fn text(mode: Mode, budget: Budget, tools: &[Arc<Tool>]) -> String {
    let has = |category| tools.iter().any(|tool| tool.spec().category == category);
    let (looks, acts) = (has(Category::Retrieval), has(Category::Action));
    let steps = [(looks, SEARCH), (looks, READ), (true, ANSWER), (acts, PROPOSE), (acts, COMMIT)];
    let steps = steps.iter().filter(|(serves, _)| *serves).enumerate();
    let steps: Vec<_> = steps.map(|(n, (_, step))| format!("{}. {step}", n + 1)).collect();
    format!("# Agent Loop\n\n{}\n\n{}", steps.join("\n"), limits(mode, budget))
}

fn limits(mode: Mode, budget: Budget) -> String {
    let Budget { retrieval, total } = budget;
    let held = match mode {
        Mode::Voice => {
            "The person waits in silence while you look: one search, few results, and never one \
             search after another if the first one brought something."
        }
        Mode::Text => {
            "There is time to look twice from different sides, and to read more than one record, \
             if the question needs it."
        }
    };
    format!(
        "Limits in {mode}: at most {} in one turn, {retrieval} of them retrieval. Calls beyond \
         that are refused; answer with what you have. {held}",
        calls(total)
    )
}

fn calls(count: u32) -> String {
    if count == 1 { "1 call".to_owned() } else { format!("{count} calls") }
}
