//! How far a connection has come, and which commands it takes there.

use aileron_contract::transport::{Command, CommandError, TurnDetection};

/// How far a connection has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ConnectionPhase {
    /// Nothing was sent.
    #[default]
    Fresh,
    /// The setup was sent and is not taken yet.
    Starting,
    Ready,
    /// It was closed, by either side.
    Over,
}

impl ConnectionPhase {
    /// Refuses a command that cannot be sent in this phase.
    pub(crate) fn check(self, command: &Command<'_>) -> Result<(), CommandError> {
        match (command, self) {
            (Command::Start(_), Self::Fresh) | (Command::End, _) => Ok(()),
            (Command::Start(_), _) => Err(CommandError::StartedTwice),
            (_, Self::Ready) => Ok(()),
            (_, Self::Fresh | Self::Starting | Self::Over) => Err(CommandError::NotReady),
        }
    }
}

/// Refuses to tell a provider of speech that it detects itself.
pub(crate) fn check_manual(detection: &TurnDetection) -> Result<(), CommandError> {
    match detection {
        TurnDetection::Manual => Ok(()),
        TurnDetection::Automatic { .. } => {
            Err(CommandError::Unsupported("be told of speech that it detects itself"))
        }
    }
}
