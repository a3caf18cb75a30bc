//! Assembles the text agent, from the settings.

use std::sync::Arc;

use aileron_agent::{Agent, AgentParts, Model, TurnLimits};
use aileron_capability::SystemClock;
use aileron_simulator::Rules;
use aileron_simulator::{Options, RunningSimulator, Simulator};
use aileron_store::Store;
use aileron_transports::text::{ApiKey, TextModel, TextOptions, TextProvider};

use crate::output::Failure;
use crate::settings::{ChosenModel, OFFLINE, OFFLINE_SPEAKS, Settings, TextBackend};

/// The message for a person who chats with the offline agent.
pub(crate) const OFFLINE_NOTE: &str = "offline: the answers come from rules in this binary, not from a model. \
Set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY for one.";

/// The variables that may contain a key.
const KEYS: &str = "GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY";

/// The model name of the offline agent.
const OFFLINE_MODEL: &str = "offline";

/// A model and its name in messages.
#[derive(Debug)]
pub(crate) struct LabelledModel {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) provider: &'static str,
    pub(crate) name: String,
}

impl LabelledModel {
    /// The provider and model, or the reason for the offline agent; `wanted` is the configured
    /// provider.
    pub(crate) fn label(&self, wanted: &str) -> String {
        match self.provider {
            OFFLINE if wanted == OFFLINE => {
                "offline: rules, no model, as [text] `provider` says".to_owned()
            }
            OFFLINE => format!("offline: rules, no model, because no key is set ({KEYS})"),
            provider => format!("{provider}, {}", self.name),
        }
    }
}

/// The value of an environment variable, unless it is empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Starts the built-in provider: the offline agent for text and voice, on a loopback address. It
/// runs until dropped. Needs a runtime.
pub(crate) async fn built_in() -> Result<RunningSimulator, Failure> {
    let rules = Options { model: Arc::new(Rules(aileron_offline::decide)), ..Options::default() };
    let begun = Simulator::begin(rules).await;
    begun.map_err(|error| Failure::Failed(error.to_string()))
}

/// The selected model. Offline, the built-in provider is used over loopback, with the same
/// transport as any other.
pub(crate) fn model(
    writer: TextBackend,
    built_in: &RunningSimulator,
) -> Result<LabelledModel, Failure> {
    match writer {
        TextBackend::Offline => offline(built_in),
        TextBackend::Provider(chosen) => {
            let ChosenModel { which, model, base_url, key, max_output_tokens, reasoning } = *chosen;
            let provider = which.name();
            let mut options = TextOptions::new(which, model.clone());
            options.base_url = base_url.map(|url| place(&url)).transpose()?;
            options.key = key.map(ApiKey::new);
            (options.max_output_tokens, options.reasoning) = (max_output_tokens, reasoning);
            Ok(LabelledModel { model: ready(options)?, provider, name: model })
        }
    }
}

fn place(url: &str) -> Result<url::Url, Failure> {
    url.parse().map_err(|error| {
        Failure::Usage(format!("`base_url` of [text]: expected an address, found {url:?}: {error}"))
    })
}

fn ready(options: TextOptions) -> Result<Arc<dyn Model>, Failure> {
    let model = TextModel::new(options).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(Arc::new(model))
}

fn offline(built_in: &RunningSimulator) -> Result<LabelledModel, Failure> {
    let which = TextProvider::named(OFFLINE_SPEAKS)
        .ok_or_else(|| Failure::Failed("the offline provider is not running".to_owned()))?;
    let mut options = TextOptions::new(which, OFFLINE_MODEL);
    options.base_url = Some(place(&format!("http://{}", built_in.address))?);
    options.key = Some(ApiKey::new(OFFLINE));
    Ok(LabelledModel { model: ready(options)?, provider: OFFLINE, name: OFFLINE_MODEL.to_owned() })
}

/// The agent for all conversations over a store.
pub(crate) fn agent(
    model: Arc<dyn Model>,
    settings: &Settings,
    store: Arc<dyn Store>,
) -> Result<Agent, Failure> {
    let limits = TurnLimits { window_tokens: settings.text.window_tokens, ..TurnLimits::default() };
    Ok(Agent::new(AgentParts {
        model,
        instructions: settings.prompt.instructions()?,
        store,
        clock: Arc::new(SystemClock),
        policies: settings.policies.clone(),
        limits,
    }))
}
