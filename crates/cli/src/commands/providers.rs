//! `aileron providers`: the models that are used by default or by the settings, what each can do, and which
//! keys are found. Keys are never shown.

use std::env;
use std::path::Path;

use aileron_contract::models::{self, DefaultModel, Protocol};
use serde_json::{Value, json};

use crate::args::{DataFormat, ProvidersArgs};
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure};
use crate::settings::Settings;
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 6] = [
    ("USE", Align::Left),
    ("PROVIDER", Align::Left),
    ("MODEL", Align::Left),
    ("KEY", Align::Left),
    ("FOUND", Align::Left),
    ("CAN", Align::Left),
];

/// One model with its key.
struct Row {
    usage: &'static str,
    provider: &'static str,
    protocol: Protocol,
    model: String,
    key: String,
    found: bool,
}

pub(crate) fn run(args: &ProvidersArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let rows: Vec<_> = models::DEFAULTS.iter().map(|default| row(default, &settings)).collect();
    match args.format {
        DataFormat::Text => {
            let cells: Vec<_> = rows.iter().map(Row::cells).collect();
            output::data(&Table::new(COLUMNS).whole(&cells))?;
        }
        DataFormat::Json => {
            let all: Vec<_> = rows.iter().map(Row::json).collect();
            output::data(&pretty(&json!({ "models": all })))?;
        }
    }
    Ok(ExitOutcome::Fine)
}

/// The model by the settings, or else the default.
fn row(default: &DefaultModel, settings: &Settings) -> Row {
    let DefaultModel { provider, protocol, model } = *default;
    let (named, key) = settings.model_and_key(provider, protocol);
    let or = |named: &str, usual: &str| if named.is_empty() { usual } else { named }.to_owned();
    let key = or(key, models::key_variable(provider));
    let found = env::var(&key).is_ok_and(|value| !value.is_empty());
    Row { usage: usage(protocol), provider, protocol, model: or(named, model), key, found }
}

/// The purpose of a protocol, as the settings name it.
fn usage(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::GeminiLive | Protocol::OpenaiRealtime | Protocol::OpenaiLive => "voice",
        Protocol::Gemini | Protocol::OpenaiResponses | Protocol::Anthropic => "text",
        Protocol::Images => "images",
        Protocol::Embeddings => "embeddings",
        Protocol::Transcription => "transcription",
    }
}

impl Row {
    fn abilities(&self) -> Vec<String> {
        let abilities = models::abilities(self.protocol, &self.model);
        let ends = models::shutdown(&self.model).map(|day| format!("ends {day}"));
        abilities.into_iter().map(str::to_owned).chain(ends).collect()
    }

    fn cells(&self) -> [Cell; 6] {
        [
            self.usage.to_owned(),
            self.provider.to_owned(),
            self.model.clone(),
            self.key.clone(),
            if self.found { "yes" } else { "no" }.to_owned(),
            self.abilities().join(", "),
        ]
        .map(Cell::from)
    }

    fn json(&self) -> Value {
        json!({
            "use": self.usage,
            "provider": self.provider,
            "protocol": self.protocol.title(),
            "model": self.model,
            "keyVariable": self.key,
            "keyFound": self.found,
            "can": models::abilities(self.protocol, &self.model),
            "ends": models::shutdown(&self.model),
        })
    }
}
