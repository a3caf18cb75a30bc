//! Merges the layers of settings: defaults, file, environment, command line. Later layers win, and
//! the source of each value is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use aileron_capability::alike::closest;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use super::Settings;
use crate::output::Failure;

/// Minimum similarity of a suggested name.
const ALIKE: f64 = 0.8;

/// The prefix of our variables.
const PREFIX: &str = "AILERON_";

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SettingSource {
    Default,
    File(PathBuf),
    Variable(String),
    Flag(&'static str),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(file) => file.display().fmt(f),
            Self::Variable(name) => write!(f, "${name}"),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// A value from the command line.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) name: &'static str,
    /// The setting it sets: `server.address`.
    pub(crate) key: &'static str,
    pub(crate) value: String,
}

/// Settings with their sources.
#[derive(Debug)]
pub(crate) struct Layers {
    pub(crate) settings: Settings,
    /// Each key with its value and its source.
    pub(crate) values: BTreeMap<String, (Value, SettingSource)>,
}

impl Layers {
    /// The settings of a file.
    pub(super) fn of_file(
        settings: Settings,
        file: &Path,
        set: &BTreeSet<String>,
    ) -> Result<Self, Failure> {
        let mut values = BTreeMap::new();
        for (key, value) in leaves(&tree(&settings)?) {
            let source = match set.contains(&key) {
                true => SettingSource::File(file.to_owned()),
                false => SettingSource::Default,
            };
            values.insert(key, (value, source));
        }
        Ok(Self { settings, values })
    }

    /// Applies the environment.
    pub(super) fn with_environment(mut self) -> Result<Self, Failure> {
        let texts = env::vars_os()
            .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
        let named = texts.filter(|(name, _)| name.starts_with(PREFIX));
        let keys: BTreeMap<String, String> =
            self.values.keys().map(|key| (variable(key), key.clone())).collect();
        let (known, others): (Vec<_>, Vec<_>) =
            named.partition(|(name, _)| keys.contains_key(name));
        for (name, text) in known {
            if let Some(key) = keys.get(&name) {
                self.set(key, &text, SettingSource::Variable(name))?;
            }
        }
        match others.iter().find(|(name, _)| is_meant_for_us(name, &self.values)) {
            Some((name, _)) => Err(unknown(name, &keys)),
            None => Ok(self),
        }
    }

    /// Applies the command line.
    pub(crate) fn with_flags(mut self, flags: Vec<Flag>) -> Result<Self, Failure> {
        for Flag { name, key, value } in flags {
            self.set(key, &value, SettingSource::Flag(name))?;
        }
        Ok(self)
    }

    fn set(&mut self, key: &str, text: &str, source: SettingSource) -> Result<(), Failure> {
        let fault = |why: String| Failure::Usage(format!("{source}: {why}"));
        let before = self.values.get(key).map(|(value, _)| value).cloned().unwrap_or_default();
        let value = read(text, &before).map_err(fault)?;
        let mut tree = tree(&self.settings)?;
        if let Some(place) = tree.pointer_mut(&format!("/{}", key.replace('.', "/"))) {
            *place = value.clone();
        }
        self.settings = Settings::deserialize(tree).map_err(|error| fault(error.to_string()))?;
        self.values.insert(key.to_owned(), (value, source));
        Ok(())
    }
}

/// The variable that sets a key: `AILERON_SERVER_ADDRESS` for `server.address`.
fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

/// Whether a variable with our prefix that sets nothing is an error. It is not if the settings name
/// it, or if it resembles neither a setting nor a section.
fn is_meant_for_us(name: &str, values: &BTreeMap<String, (Value, SettingSource)>) -> bool {
    let is_named = values.values().any(|(value, _)| value.as_str() == Some(name));
    let Some((section, rest)) = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_'))
    else {
        return false;
    };
    let sections: BTreeSet<_> = values.keys().filter_map(|key| key.split('.').next()).collect();
    let sections: Vec<_> = sections.into_iter().map(str::to_uppercase).collect();
    let alike = closest(section, sections.iter().map(String::as_str), ALIKE);
    let sets = |section: &&str| {
        let meant = format!("{PREFIX}{section}_{rest}");
        values.keys().any(|key| variable(key) == meant)
    };
    !is_named && (sections.iter().any(|known| known == section) || alike.iter().any(sets))
}

fn unknown(name: &str, keys: &BTreeMap<String, String>) -> Failure {
    let alike = closest(name, keys.keys().map(String::as_str), ALIKE);
    let way_out = match alike.first() {
        Some(alike) => format!("did you mean ${alike}?"),
        None => "docs/settings.md lists them".to_owned(),
    };
    Failure::Usage(format!("${name} sets nothing; {way_out}"))
}

/// Parses a value of the same type as the default. Lists are separated by commas.
fn read(text: &str, like: &Value) -> Result<Value, String> {
    let expected = |what: &str| format!("expected {what}, found {text:?}");
    match like {
        Value::Bool(_) => text.parse().map(Value::Bool).map_err(|_| expected("true or false")),
        Value::Number(_) => {
            text.parse::<Number>().map(Value::Number).map_err(|_| expected("a number"))
        }
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Ok(items.map(|item| json!(item)).collect())
        }
        Value::String(_) | Value::Null | Value::Object(_) => Ok(json!(text)),
    }
}

fn tree(settings: &Settings) -> Result<Value, Failure> {
    serde_json::to_value(settings).map_err(|error| Failure::Failed(error.to_string()))
}

/// Every key with its value: `server.address`.
pub(super) fn leaves(tree: &Value) -> Vec<(String, Value)> {
    let Value::Object(members) = tree else { return vec![(String::new(), tree.clone())] };
    let below = members.iter().flat_map(|(name, member)| {
        let named = move |(key, value): (String, Value)| match key.is_empty() {
            true => (name.clone(), value),
            false => (format!("{name}.{key}"), value),
        };
        leaves(member).into_iter().map(named)
    });
    below.collect()
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
