//! One assignment rule: its conditions, whether a new conversation meets them, and its words.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::miss::Miss;
use super::new_conversation::{DEFAULT, NewConversation};
use super::percent::Percent;
use super::share::place;

/// How many users or values the words of a rule name.
const NAMED: usize = 3;

/// One rule. All of the conditions that it gives must hold; without a condition it matches everybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AssignmentRule {
    /// The name of the registry. Empty: the one that the request names; only with `requested`.
    pub registry: String,
    /// The ids of people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<String>>,
    /// A claim of the person's credentials, such as the organisation, whose value is one of `values`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// A scope of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The part of those who meet the other conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<Percent>,
    /// Rules with the same salt choose the same people. Without it: the name of the registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The rule is for requests that name the registry, and for no others.
    pub requested: bool,
}

impl AssignmentRule {
    /// Whether a new conversation meets every condition; the first that it does not meet.
    pub(super) fn meets<'a>(&'a self, new: NewConversation<'a>) -> Result<(), Miss<'a>> {
        self.meets_request(new)?;
        self.meets_user(new)?;
        self.meets_claim(new)?;
        self.meets_scope(new)?;
        self.meets_share(new)
    }

    pub(super) fn matches_everybody(&self) -> bool {
        let narrowed = self.users.is_some() || self.claim.is_some() || self.scope.is_some();
        !self.requested && !narrowed && self.percent.is_none_or(|it| it == Percent::ALL)
    }

    /// The faults of the rule by itself.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |is_wrong: bool, text: &str| {
            if is_wrong {
                faults.push(text.to_owned());
            }
        };
        let is_empty = |list: &Option<Vec<String>>| list.as_ref().is_some_and(Vec::is_empty);
        fault(
            self.registry.is_empty() && !self.requested,
            "expected `registry`, the name of the registry that it gives",
        );
        fault(is_empty(&self.users), "expected at least one id in `users`, so that it can match");
        fault(
            is_empty(&self.values),
            "expected at least one value in `values`, so that it can match",
        );
        fault(
            self.claim.is_some() && self.values.is_none(),
            "expected `values` with `claim`: the values that match",
        );
        fault(
            self.values.is_some() && self.claim.is_none(),
            "expected `claim` with `values`: the claim that has one of them",
        );
        fault(
            self.salt.is_some() && self.percent.is_none(),
            "expected `percent` with `salt`, which only shuffles a percentage",
        );
        faults
    }

    fn meets_request<'a>(&'a self, new: NewConversation<'a>) -> Result<(), Miss<'a>> {
        match (self.requested, new.wanted) {
            (false, None) => Ok(()),
            (false, Some(_)) => Err(Miss::Requested),
            (true, None) => Err(Miss::NothingRequested),
            (true, Some(wanted)) => match self.registry.is_empty() || self.registry == wanted {
                true => Ok(()),
                false => Err(Miss::OtherRequested { wanted }),
            },
        }
    }

    fn meets_user<'a>(&'a self, new: NewConversation<'a>) -> Result<(), Miss<'a>> {
        let Some(users) = &self.users else { return Ok(()) };
        let user = new.person.id.as_ref().ok_or(Miss::Anonymous)?;
        match users.iter().any(|one| one == user.as_str()) {
            true => Ok(()),
            false => Err(Miss::OtherUser),
        }
    }

    fn meets_claim<'a>(&'a self, new: NewConversation<'a>) -> Result<(), Miss<'a>> {
        let Some(claim) = &self.claim else { return Ok(()) };
        let found = new.person.claims.get(claim).ok_or(Miss::NoClaim { claim })?;
        let values = self.values.as_deref().unwrap_or_default();
        let matches = match found {
            Value::Array(many) => many.iter().any(|one| is_among(one, values)),
            one => is_among(one, values),
        };
        if matches { Ok(()) } else { Err(Miss::OtherClaim { claim }) }
    }

    fn meets_scope<'a>(&'a self, new: NewConversation<'a>) -> Result<(), Miss<'a>> {
        let Some(scope) = &self.scope else { return Ok(()) };
        match new.person.scopes.contains(scope) {
            true => Ok(()),
            false => Err(Miss::NoScope { scope }),
        }
    }

    fn meets_share<'a>(&'a self, new: NewConversation<'a>) -> Result<(), Miss<'a>> {
        let Some(percent) = self.percent else { return Ok(()) };
        let registry = if self.registry.is_empty() { DEFAULT } else { &self.registry };
        let salt = self.salt.as_deref().unwrap_or(registry);
        let by = if new.person.id.is_some() { "person" } else { "conversation" };
        match percent.includes(place(salt, new)) {
            true => Ok(()),
            false => Err(Miss::OutsideShare { percent, by }),
        }
    }
}

/// Whether a claim has one of the values. Numbers and truth values are compared as they are written.
fn is_among(found: &Value, values: &[String]) -> bool {
    match found {
        Value::String(text) => values.contains(text),
        Value::Number(_) | Value::Bool(_) => {
            let text = found.to_string();
            values.contains(&text)
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

impl AssignmentRule {
    /// Why it matched, for the person of the conversation: the ids and values of others are not named.
    pub(super) fn reason(&self) -> String {
        let conditions = [
            self.users.as_ref().map(|_| "the person is named".to_owned()),
            self.claim.as_ref().map(|claim| format!("the claim `{claim}` matches")),
            self.scope.as_ref().map(|scope| format!("the person has the scope `{scope}`")),
            self.requested.then(|| "the request names it".to_owned()),
            self.percent.map(|percent| format!("within {percent}")),
        ];
        let conditions: Vec<_> = conditions.into_iter().flatten().collect();
        match conditions.is_empty() {
            true => "for everybody".to_owned(),
            false => conditions.join(", "),
        }
    }
}

impl fmt::Display for AssignmentRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut conditions = Vec::new();
        if let Some(users) = &self.users {
            conditions.push(format!("the person is {}", one_of(users)));
        }
        if let (Some(claim), Some(values)) = (&self.claim, &self.values) {
            conditions.push(format!("the claim `{claim}` is {}", one_of(values)));
        }
        if let Some(scope) = &self.scope {
            conditions.push(format!("the person has the scope `{scope}`"));
        }
        if self.requested {
            conditions.push("the request names it".to_owned());
        }
        let conditions = conditions.join(" and ");
        let who = match (self.percent, conditions.is_empty()) {
            (None, true) => "for everybody".to_owned(),
            (Some(percent), true) => format!("for {percent} of everybody"),
            (None, false) => format!("if {conditions}"),
            (Some(percent), false) => format!("for {percent} of people, if {conditions}"),
        };
        match self.registry.as_str() {
            "" => write!(f, "any registry {who}"),
            name => write!(f, "`{name}` {who}"),
        }
    }
}

fn one_of(words: &[String]) -> String {
    let named = words.iter().take(NAMED).map(|word| format!("{word:?}")).collect::<Vec<_>>();
    match words.len().saturating_sub(NAMED) {
        0 => named.join(" or "),
        more => format!("{} or one of {more} more", named.join(", ")),
    }
}
