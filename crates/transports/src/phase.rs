//! The phase of a connection, and the commands it accepts.

use aileron_contract::transport::{Command, CommandError, TurnDetection};

/// The phase of a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ConnectionPhase {
    /// Nothing was sent.
    #[default]
    Fresh,
    /// The setup was sent, and is not accepted yet.
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

/// Refuses speech markers for a provider that detects speech itself.
pub(crate) fn check_manual(detection: &TurnDetection) -> Result<(), CommandError> {
    match detection {
        TurnDetection::Manual => Ok(()),
        TurnDetection::Automatic { .. } => {
            Err(CommandError::Unsupported("be told of speech that it detects itself"))
        }
    }
}
