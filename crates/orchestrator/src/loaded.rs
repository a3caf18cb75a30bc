//! Counts of the conversations that this process has in memory.

/// Counts of the conversations in memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoadedConversations {
    pub text: usize,
    pub voice: usize,
    /// Turns whose calls the loop policy remembers.
    pub turns_tracked: usize,
    /// Confirmations that the person can still answer.
    pub open_confirmations: usize,
}
