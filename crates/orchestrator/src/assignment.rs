//! Which of the offered registries a new conversation gets. A pure function of the rules, the person, the id
//! of the conversation and the registry that the request names, so that every process gives the same answer.

mod miss;
mod new_conversation;
mod percent;
mod rule;
mod share;

use std::collections::BTreeSet;
use std::fmt;

use aileron_capability::alike::closest;
use serde::{Deserialize, Serialize};

pub use self::new_conversation::{DEFAULT, NewConversation};
pub use self::percent::Percent;
pub use self::rule::AssignmentRule;

/// Longest name of a registry.
const MAX_NAME: usize = 40;

/// Minimum similarity of a suggested name.
const ALIKE: f64 = 0.7;

/// The reason of a conversation that no rule matches.
const NO_RULE: &str = "no rule matches, so it is the default registry";

/// Validated rules, in order. The first one that matches decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    rules: Vec<AssignmentRule>,
    names: BTreeSet<String>,
}

/// The registry of a conversation, and why it has this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssignedRegistry {
    /// The name under which it was offered.
    pub name: String,
    pub reason: String,
}

/// Why a request does not get the registry that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignError {
    /// No registry of this name is offered.
    Unknown { wanted: String, offered: Vec<String> },
    /// No rule allows this person to ask for it.
    NotAllowed { wanted: String },
}

impl fmt::Display for AssignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { wanted, offered } => {
                let offered = offered.join(", ");
                write!(f, "expected a `registry` of {offered}, found {wanted:?}")
            }
            Self::NotAllowed { wanted } => write!(
                f,
                "no rule allows this person to ask for the registry {wanted:?}; leave `registry` out, or add \
                 a rule with `requested = true` to [[server.assignment]]"
            ),
        }
    }
}

impl std::error::Error for AssignError {}

/// One rule as it applies to a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCheck {
    /// Counted from one.
    pub number: usize,
    /// The rule in words.
    pub rule: String,
    pub matches: bool,
    /// Why it matches or does not.
    pub why: String,
}

/// The rules that were met in order, up to the one that decides, and the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub checks: Vec<RuleCheck>,
    pub result: Result<AssignedRegistry, AssignError>,
}

impl Assignment {
    /// Checks the rules against the names of the offered registries; returns all faults.
    pub fn new<'a>(
        rules: Vec<AssignmentRule>,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Vec<String>> {
        let names: BTreeSet<String> =
            names.into_iter().map(str::to_owned).chain([DEFAULT.to_owned()]).collect();
        let numbered = rules.iter().enumerate();
        let faults = numbered.flat_map(|(at, rule)| {
            let found = rule.faults().into_iter().chain(unknown_name(rule, &names));
            found.map(move |fault| format!("rule {} of [[server.assignment]]: {fault}", at + 1))
        });
        let faults: Vec<String> = faults.collect();
        match faults.is_empty() {
            true => Ok(Self { rules, names }),
            false => Err(faults),
        }
    }

    pub fn rules(&self) -> &[AssignmentRule] {
        &self.rules
    }

    /// Whether every conversation gets the only registry there is.
    pub(crate) fn is_trivial(&self) -> bool {
        self.rules.is_empty() && self.names.len() <= 1
    }

    /// The registry of a conversation.
    pub fn assign(&self, new: NewConversation<'_>) -> Result<AssignedRegistry, AssignError> {
        self.check_known(new)?;
        match self.deciding(new) {
            Some((at, rule)) => Ok(by_rule(at, rule, new)),
            None => self.without_rule(new),
        }
    }

    /// The same, with every rule that was met on the way.
    pub fn explain(&self, new: NewConversation<'_>) -> Explanation {
        let mut checks = Vec::new();
        if self.check_known(new).is_ok() {
            for (at, rule) in self.rules.iter().enumerate() {
                let met = rule.meets(new);
                let why = match &met {
                    Ok(()) => "all of its conditions hold".to_owned(),
                    Err(miss) => miss.to_string(),
                };
                let matches = met.is_ok();
                checks.push(RuleCheck { number: at + 1, rule: rule.to_string(), matches, why });
                if matches {
                    break;
                }
            }
        }
        Explanation { checks, result: self.assign(new) }
    }

    /// The rules that can match nobody, whoever comes, in words.
    pub fn idle_rules(&self) -> Vec<String> {
        let mut everybody: Option<usize> = None;
        let mut idle = Vec::new();
        for (at, rule) in self.rules.iter().enumerate() {
            let number = at + 1;
            if rule.percent == Some(Percent::ZERO) {
                idle.push(format!("rule {number} gives its registry to 0 % of the people"));
            } else if let Some(before) = everybody.filter(|_| !rule.requested) {
                idle.push(format!(
                    "rule {number} is never reached: rule {before} matches everybody"
                ));
            }
            if everybody.is_none() && rule.matches_everybody() {
                everybody = Some(number);
            }
        }
        idle
    }

    fn deciding(&self, new: NewConversation<'_>) -> Option<(usize, &AssignmentRule)> {
        self.rules.iter().enumerate().find(|(_, rule)| rule.meets(new).is_ok())
    }

    fn check_known(&self, new: NewConversation<'_>) -> Result<(), AssignError> {
        match new.wanted {
            Some(wanted) if !self.names.contains(wanted) => Err(AssignError::Unknown {
                wanted: wanted.chars().take(MAX_NAME).collect(),
                offered: self.names.iter().cloned().collect(),
            }),
            _ => Ok(()),
        }
    }

    /// A request that names the registry it would get anyway needs no rule that allows it.
    fn without_rule(&self, new: NewConversation<'_>) -> Result<AssignedRegistry, AssignError> {
        let Some(wanted) = new.wanted else {
            return Ok(AssignedRegistry { name: DEFAULT.to_owned(), reason: NO_RULE.to_owned() });
        };
        let unasked = self.assign(NewConversation { wanted: None, ..new })?;
        match unasked.name == wanted {
            true => Ok(unasked),
            false => Err(AssignError::NotAllowed { wanted: wanted.to_owned() }),
        }
    }
}

fn by_rule(at: usize, rule: &AssignmentRule, new: NewConversation<'_>) -> AssignedRegistry {
    let name = match rule.registry.is_empty() {
        true => new.wanted.unwrap_or(DEFAULT),
        false => &rule.registry,
    };
    AssignedRegistry {
        name: name.to_owned(),
        reason: format!("rule {}: {}", at + 1, rule.reason()),
    }
}

fn unknown_name(rule: &AssignmentRule, names: &BTreeSet<String>) -> Option<String> {
    let name = &rule.registry;
    if name.is_empty() || names.contains(name) {
        return None;
    }
    let alike = closest(name, names.iter().map(String::as_str), ALIKE);
    let known = match alike.first() {
        Some(alike) => format!("did you mean `{alike}`?"),
        None => format!("expected one of {}", names.iter().cloned().collect::<Vec<_>>().join(", ")),
    };
    Some(format!("there is no registry {name:?}; {known}"))
}

/// Checks the name of a registry besides the default one.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    if name == DEFAULT {
        return Err(format!(
            "`{DEFAULT}` is the registry of [server] `tools` or `registry`; choose another name"
        ));
    }
    match begins && name.len() <= MAX_NAME && name.chars().all(is_plain) {
        true => Ok(()),
        false => Err(format!(
            "expected a name of 1 to {MAX_NAME} small letters, digits, `-` and `_`, found {name:?}"
        )),
    }
}

#[cfg(test)]
#[path = "assignment_tests.rs"]
mod tests;
