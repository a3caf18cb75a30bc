//! When a confirmation is needed, in either spelling.

use aileron_contract::ToolSpec;

/// When a confirmation is needed before a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfirmationNeed<'a> {
    Never,
    /// If this expression is true.
    When(&'a str),
    Always,
}

impl<'a> ConfirmationNeed<'a> {
    pub(super) fn of(spec: &'a ToolSpec) -> Self {
        let when = spec.confirmation.as_ref().and_then(|confirmation| confirmation.when.as_deref());
        match when.map(str::trim) {
            _ if spec.requires_confirmation => Self::Always,
            Some("true") => Self::Always,
            Some("false") | None => Self::Never,
            Some(when) => Self::When(when),
        }
    }

    /// The field with the setting.
    pub(super) fn pointer(spec: &ToolSpec) -> &'static str {
        match &spec.confirmation {
            Some(confirmation) if confirmation.when.is_some() && !spec.requires_confirmation => {
                "/confirmation/when"
            }
            _ => "/requiresConfirmation",
        }
    }
}

impl std::fmt::Display for ConfirmationNeed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Never => f.write_str("never asked"),
            Self::When(when) => write!(f, "asked when `{when}`"),
            Self::Always => f.write_str("always asked"),
        }
    }
}
