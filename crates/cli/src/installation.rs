//! Puts together what it takes to make calls, as the settings say.

use std::sync::Arc;

use aileron_orchestrator::token::TokenId;
use aileron_runtime::capability::Capability;
use aileron_runtime::http::HttpClient;
use aileron_runtime::js::Engine;
use aileron_runtime::secrets::EnvironmentSecrets;
use aileron_runtime::{Handlers, LoadError, Platform, Registry};
use tokio::runtime::{Builder, Runtime};

use crate::output::Failure;
use crate::settings::{HandlerSettings, HttpSettings};

/// Loads a registry with all of its handlers; `source` says where the text is from.
pub(crate) fn registry(
    text: &str,
    source: &str,
    settings: &HandlerSettings,
) -> Result<Arc<Registry>, Failure> {
    let engine = Engine::new(settings.options()?)
        .map_err(|error| Failure::Failed(format!("JavaScript cannot be run: {error}")))?;
    let handlers = Handlers { natives: aileron_tools::natives(), engine: Some(Arc::new(engine)) };
    Registry::load(text, &handlers).map_err(|error| unusable(source, &error))
}

/// Why a registry cannot be used.
pub(crate) fn unusable(source: &str, error: &LoadError) -> Failure {
    Failure::Usage(format!("`{source}` cannot be used: {error}"))
}

/// The engines behind the capabilities. There is a client for HTTP only if a tool declares one.
pub(crate) fn platform(registry: &Registry, settings: &HttpSettings) -> Result<Platform, Failure> {
    let mut capabilities = registry.tools().iter().flat_map(|tool| &tool.spec().capabilities);
    let http = match capabilities.any(|name| matches!(name.parse(), Ok(Capability::Http(_)))) {
        false => None,
        true => {
            let client = HttpClient::new(settings.options()?);
            let fault = |error| Failure::Usage(format!("[http] cannot be used: {error}"));
            Some(Arc::new(client.map_err(fault)?))
        }
    };
    Ok(Platform { http, secrets: Some(Arc::new(EnvironmentSecrets)), ..Platform::default() })
}

/// The runtime that calls are made in.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let built = Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| Failure::Failed(format!("no threads can be started: {error}")))
}

/// An id that nothing else has.
pub(crate) fn fresh_id(kind: &str) -> Result<String, Failure> {
    let random = TokenId::random();
    let random = random.map_err(|error| Failure::Failed(format!("no randomness: {error}")))?;
    Ok(format!("{kind}-{}", random.as_str()))
}
