//! Warnings about rules that match nobody, because of how people sign in.

use std::collections::BTreeMap;

use aileron_orchestrator::{Assignment, AssignmentRule, Person};
use aileron_server::Auth;

use super::LoadedRegistry;
use crate::settings::ServerSettings;

/// How people sign in, as far as rules depend on it.
#[derive(Debug)]
pub(in crate::commands::serve) enum SignIn {
    Off,
    Tokens(Vec<Person>),
    /// The claims that are read from a token.
    Jwt(Vec<String>),
}

impl SignIn {
    pub(in crate::commands::serve) fn of(auth: &Auth) -> Self {
        match auth {
            Auth::Open => Self::Off,
            Auth::Tokens(tokens) => Self::Tokens(tokens.people().cloned().collect()),
            Auth::Jwt(jwt) => Self::Jwt(jwt.rules.claims.clone()),
        }
    }

    /// Why nobody can meet a condition of this rule.
    fn nobody(&self, rule: &AssignmentRule) -> Option<String> {
        match self {
            Self::Off => {
                let asks = rule.users.is_some() || rule.claim.is_some() || rule.scope.is_some();
                asks.then(|| "nobody signs in, because authentication is off".to_owned())
            }
            Self::Tokens(people) => nobody_with_token(rule, people),
            Self::Jwt(claims) => {
                let claim = rule.claim.as_ref().filter(|claim| !claims.contains(claim))?;
                Some(format!("the claim `{claim}` is not among `claims` of [auth.jwt]"))
            }
        }
    }
}

fn nobody_with_token(rule: &AssignmentRule, people: &[Person]) -> Option<String> {
    let has_claim = |claim: &String| people.iter().any(|one| one.claims.contains_key(claim));
    let has_scope = |scope: &String| people.iter().any(|one| one.scopes.contains(scope));
    let is_known = |user: &String| {
        people.iter().any(|one| one.id.as_ref().is_some_and(|id| id.as_str() == user))
    };
    if let Some(claim) = rule.claim.as_ref().filter(|claim| !has_claim(claim)) {
        return Some(format!("no token has the claim `{claim}`"));
    }
    if let Some(scope) = rule.scope.as_ref().filter(|scope| !has_scope(scope)) {
        return Some(format!("no token has the scope `{scope}`"));
    }
    let unknown = rule.users.as_ref().is_some_and(|users| !users.iter().any(is_known));
    unknown.then(|| "no token belongs to one of its users".to_owned())
}

/// The warnings about these rules and registries.
pub(super) fn of(
    sign_in: &SignIn,
    server: &ServerSettings,
    loaded: &BTreeMap<String, LoadedRegistry>,
) -> Vec<String> {
    let names = loaded.keys().map(String::as_str);
    let idle = Assignment::new(server.assignment.clone(), names);
    let mut warnings = idle.map(|rules| rules.idle_rules()).unwrap_or_default();
    for (at, rule) in server.assignment.iter().enumerate() {
        let why = sign_in.nobody(rule);
        warnings.extend(why.map(|why| format!("rule {} matches nobody: {why}", at + 1)));
    }
    warnings.extend(same_versions(loaded));
    warnings
}

/// Names of one version, whose figures cannot be told apart.
fn same_versions(loaded: &BTreeMap<String, LoadedRegistry>) -> Vec<String> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, loaded) in loaded {
        names.entry(loaded.registry.version()).or_default().push(name);
    }
    let same = names.into_iter().filter(|(_, names)| names.len() > 1);
    let told = same.map(|(version, names)| {
        format!("the registries {} are the same, version {version}", names.join(" and "))
    });
    told.collect()
}
