//! Token counts of model contexts, for voice and text.

use std::sync::atomic::{AtomicU64, Ordering};

use aileron_contract::Mode;

use super::figure::Histogram;

/// Sizes of model contexts, in estimated tokens, by mode.
#[derive(Debug, Default)]
pub struct ContextFigures {
    text: ModeContext,
    voice: ModeContext,
    last_instructions: AtomicU64,
    last_declarations: AtomicU64,
    last_start: AtomicU64,
}

/// Sizes of the contexts of one mode.
#[derive(Debug, Default)]
pub struct ModeContext {
    /// At the start of each conversation or voice session: instructions, declarations and history.
    pub start_tokens: Histogram,
    /// The instructions among them.
    pub instruction_tokens: Histogram,
    /// The declarations of tools among them.
    pub declaration_tokens: Histogram,
    /// Of each result of a call.
    pub result_tokens: Histogram,
    /// The maximum of each text turn and of each voice session.
    pub peak_tokens: Histogram,
}

/// The estimated tokens of a context at its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContextStart {
    pub instructions: u64,
    pub declarations: u64,
    pub history: u64,
}

impl ContextStart {
    pub const fn total(self) -> u64 {
        self.instructions + self.declarations + self.history
    }
}

impl ContextFigures {
    pub fn of(&self, mode: Mode) -> &ModeContext {
        match mode {
            Mode::Text => &self.text,
            Mode::Voice => &self.voice,
        }
    }

    /// A conversation or a voice session has begun.
    pub fn started(&self, mode: Mode, start: ContextStart) {
        let figures = self.of(mode);
        figures.start_tokens.record(start.total());
        figures.instruction_tokens.record(start.instructions);
        figures.declaration_tokens.record(start.declarations);
        self.last_instructions.store(start.instructions, Ordering::Relaxed);
        self.last_declarations.store(start.declarations, Ordering::Relaxed);
        self.last_start.store(start.total(), Ordering::Relaxed);
    }

    /// The start that was counted last; zero before the first. Two concurrent starts may mix.
    pub(super) fn last_start(&self) -> ContextStart {
        let read = |from: &AtomicU64| from.load(Ordering::Relaxed);
        let (instructions, declarations) =
            (read(&self.last_instructions), read(&self.last_declarations));
        let history = read(&self.last_start).saturating_sub(instructions + declarations);
        ContextStart { instructions, declarations, history }
    }
}
