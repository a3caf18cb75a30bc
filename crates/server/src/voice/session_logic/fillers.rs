//! What is said while a slow tool runs: its preamble as it begins, its filler once it has taken long.
//! Only where the provider can be asked to say a given sentence.

use aileron_contract::CallId;
use aileron_contract::spec::Speech;

/// When a filler is said if the tool does not say.
const FILLER_AFTER_MS: u64 = 700;

#[derive(Debug, Clone)]
struct Filler {
    call_id: CallId,
    at: u64,
    sentence: String,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Fillers(Vec<Filler>);

impl Fillers {
    /// A call begins to run; says the sentence to begin with.
    pub(crate) fn started(
        &mut self,
        call_id: &CallId,
        speech: &Speech,
        now: u64,
    ) -> Option<String> {
        if let Some(sentence) = &speech.filler {
            let at = now + speech.filler_after_ms.unwrap_or(FILLER_AFTER_MS);
            self.0.push(Filler { call_id: call_id.clone(), at, sentence: sentence.clone() });
        }
        speech.preamble.clone()
    }

    /// A call has its answer: nobody waits for it any more.
    pub(crate) fn answered(&mut self, call_id: &CallId) {
        self.0.retain(|filler| filler.call_id != *call_id);
    }

    /// When one is to be said.
    pub(crate) fn due(&self) -> Option<u64> {
        self.0.iter().map(|filler| filler.at).min()
    }

    /// The sentence whose time has come. Several at once would be too many words.
    pub(crate) fn on_time(&mut self, now: u64) -> Option<String> {
        let (due, later): (Vec<_>, _) = self.0.drain(..).partition(|filler| filler.at <= now);
        self.0 = later;
        due.into_iter().next().map(|filler| filler.sentence)
    }
}

#[cfg(test)]
#[path = "fillers_tests.rs"]
mod tests;
