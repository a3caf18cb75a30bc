//! A text model.

use std::sync::Arc;

use aileron_contract::Provider;
use aileron_contract::text::ModelRequest;
use reqwest::Client;

use super::attempt::HttpReplyStream;
use super::call_ids::CallIds;
use super::connection;
use super::endpoint::{Endpoint, TextError};
use super::options::{TextOptions, TextProvider};
use super::protocol::{ModelAddress, ProviderProtocol, RequestOptions};
use super::{anthropic, gemini, openai, openai_chat};

/// A model. It keeps only connections between requests; a clone is the same model.
#[derive(Debug, Clone)]
pub struct TextModel {
    core: Arc<Core>,
}

/// The parts that every request to a model needs.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) options: TextOptions,
    pub(super) dialect: Box<dyn ProviderProtocol>,
    pub(super) endpoint: Endpoint,
    pub(super) client: Client,
}

impl TextModel {
    pub fn new(options: TextOptions) -> Result<Self, TextError> {
        if options.model.trim().is_empty() {
            return Err(TextError::NoModel);
        }
        let dialect = dialect(&options.which);
        let place = ModelAddress {
            base: options.base_url.as_ref(),
            model: &options.model,
            key: options.key.as_ref(),
        };
        let endpoint = dialect.endpoint(&place)?;
        let client = connection::client(&options, &endpoint.url)?;
        Ok(Self { core: Arc::new(Core { options, dialect, endpoint, client }) })
    }

    /// The provider whose declarations a request contains.
    pub fn declarations(&self) -> Provider {
        self.core.dialect.declarations()
    }

    /// The name under which its messages are stored.
    pub fn name(&self) -> &'static str {
        self.core.dialect.name()
    }

    /// The name of the model.
    pub fn model(&self) -> &str {
        &self.core.options.model
    }

    /// Requests a reply. Nothing is sent before the reply is read; dropping the stream cancels the request
    /// and closes its connection.
    pub fn begin(&self, request: &ModelRequest<'_>) -> HttpReplyStream {
        let binding = self.core.dialect.binding(&self.ask(), request);
        let names = CallIds::after(request.messages);
        HttpReplyStream::new(Arc::clone(&self.core), self.body(request), names, binding)
    }

    /// The body of a request.
    pub(super) fn body(&self, request: &ModelRequest<'_>) -> String {
        self.core.dialect.body(&self.ask(), request).to_string()
    }

    fn ask(&self) -> RequestOptions<'_> {
        let options = &self.core.options;
        RequestOptions {
            model: &options.model,
            max_output_tokens: options.max_output_tokens,
            reasoning: options.reasoning,
        }
    }
}

pub(super) fn dialect(which: &TextProvider) -> Box<dyn ProviderProtocol> {
    match which {
        TextProvider::Gemini(settings) => Box::new(gemini::Gemini(settings.clone())),
        TextProvider::Openai(settings) => Box::new(openai::Openai(settings.clone())),
        TextProvider::OpenaiChat(settings) => Box::new(openai_chat::OpenaiChat(settings.clone())),
        TextProvider::Anthropic(settings) => Box::new(anthropic::Anthropic(settings.clone())),
    }
}
