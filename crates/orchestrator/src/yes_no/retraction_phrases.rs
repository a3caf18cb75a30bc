//! The phrases of retractions, each as its words.

use super::words;

/// The phrases of one language, each as its words.
#[derive(Debug, Clone, Default)]
pub(super) struct RetractionPhrases {
    pub(super) lead_ins: Vec<Vec<String>>,
    pub(super) retractions: Vec<Vec<String>>,
    pub(super) changes: Vec<Vec<String>>,
    pub(super) replacements: Vec<Vec<String>>,
    pub(super) changed_minds: Vec<Vec<String>>,
    pub(super) everything: Vec<Vec<String>>,
}

impl RetractionPhrases {
    pub(super) fn new(
        [lead_ins, retractions, changes]: [Vec<String>; 3],
        [replacements, changed_minds, everything]: [Vec<String>; 3],
    ) -> Self {
        let split = |phrases: Vec<String>| phrases.iter().map(|it| words::split(it)).collect();
        Self {
            lead_ins: split(lead_ins),
            retractions: split(retractions),
            changes: split(changes),
            replacements: split(replacements),
            changed_minds: split(changed_minds),
            everything: split(everything),
        }
    }
}
