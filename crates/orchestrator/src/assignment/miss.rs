//! Why an assignment rule does not match.

use std::fmt;

use super::percent::Percent;

/// The first condition of a rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Miss<'a> {
    /// It is for requests that name a registry.
    NothingRequested,
    /// It is for requests that name no registry.
    Requested,
    OtherRequested {
        wanted: &'a str,
    },
    Anonymous,
    OtherUser,
    NoClaim {
        claim: &'a str,
    },
    OtherClaim {
        claim: &'a str,
    },
    NoScope {
        scope: &'a str,
    },
    OutsideShare {
        percent: Percent,
        by: &'static str,
    },
}

impl fmt::Display for Miss<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingRequested => f.write_str("the request names no registry"),
            Self::Requested => f.write_str(
                "the request names a registry, so only rules with `requested = true` apply",
            ),
            Self::OtherRequested { wanted } => write!(f, "the request names {wanted:?}"),
            Self::Anonymous => f.write_str("the person is not signed in"),
            Self::OtherUser => f.write_str("the person is not one of them"),
            Self::NoClaim { claim } => write!(f, "the person has no claim `{claim}`"),
            Self::OtherClaim { claim } => {
                write!(f, "the person's claim `{claim}` has another value")
            }
            Self::NoScope { scope } => write!(f, "the person does not have the scope `{scope}`"),
            Self::OutsideShare { percent, by } => {
                write!(f, "the hash of the {by} is outside of the first {percent}")
            }
        }
    }
}
