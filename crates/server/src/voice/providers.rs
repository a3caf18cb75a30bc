//! The live providers of a server, by the name that clients use.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use aileron_contract::Jitter;
use aileron_contract::transport::{
    Capabilities, Compression, Protocol, Setup, Support, TurnDetection,
};
use aileron_transports::session::Reconnect;
use aileron_transports::upstream::{self, Upstream, UpstreamConfig};
use aileron_transports::{
    GeminiLive, OpenaiRealtime, Target, TargetError, gemini_live, openai_realtime, tls, trusted_tls,
};
use rustls::{ClientConfig, RootCertStore};

/// The connection to a live provider.
pub(crate) type LiveProvider = Upstream<Box<dyn Protocol + Send>>;

/// The name of the built-in provider, its model and its key.
const OFFLINE: &str = "offline";

/// Notes for the client of a session with the built-in provider.
const OFFLINE_NOTES: [&str; 2] = [
    "offline: this voice provider takes no audio; send `text`",
    "offline: each sentence is a plain tone, not speech",
];

/// The protocol of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceProvider {
    Gemini(gemini_live::GeminiLiveOptions),
    Openai(openai_realtime::OpenaiRealtimeOptions),
    /// The built-in simulator, which speaks Gemini's protocol.
    Offline,
}

impl VoiceProvider {
    /// The name in settings and telemetry.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Gemini(_) => "gemini",
            Self::Openai(_) => "openai",
            Self::Offline => OFFLINE,
        }
    }
}

/// An API key, which no log shows.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// One provider with its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    pub kind: VoiceProvider,
    pub model: String,
    pub key: ApiKey,
    /// The address, if not the default one.
    pub base_url: Option<String>,
    pub voice: Option<String>,
    /// A BCP 47 tag.
    pub language: Option<String>,
    pub turn_detection: TurnDetection,
    pub compression: Compression,
    /// The context window in tokens, for the warning before it is full.
    pub window_tokens: u64,
    pub reconnect: Reconnect,
    pub silence: upstream::UpstreamTimeouts,
}

impl Provider {
    /// A provider with default settings.
    pub fn new(kind: VoiceProvider, model: impl Into<String>, key: ApiKey) -> Self {
        Self {
            kind,
            model: model.into(),
            key,
            base_url: None,
            voice: None,
            language: None,
            turn_detection: TurnDetection::default(),
            compression: Compression::default(),
            window_tokens: 128_000,
            reconnect: Reconnect::default(),
            silence: upstream::UpstreamTimeouts::default(),
        }
    }

    pub(crate) fn notes(&self) -> Vec<&'static str> {
        match self.kind {
            VoiceProvider::Offline => OFFLINE_NOTES.to_vec(),
            VoiceProvider::Gemini(_) | VoiceProvider::Openai(_) => Vec::new(),
        }
    }

    /// The capabilities of the protocol, or of the built-in provider.
    pub(crate) fn capabilities(&self) -> Capabilities {
        let capabilities = self.protocol().capabilities().clone();
        match self.kind {
            VoiceProvider::Offline => Capabilities { hears: Support::No, ..capabilities },
            VoiceProvider::Gemini(_) | VoiceProvider::Openai(_) => capabilities,
        }
    }

    fn target(&self) -> Result<Target, TargetError> {
        let (base, ApiKey(key)) = (self.base_url.as_deref(), &self.key);
        match &self.kind {
            VoiceProvider::Gemini(_) | VoiceProvider::Offline => gemini_live::target(base, key),
            VoiceProvider::Openai(_) => openai_realtime::target(base, &self.model, key),
        }
    }

    fn protocol(&self) -> Box<dyn Protocol + Send> {
        match &self.kind {
            VoiceProvider::Gemini(settings) => Box::new(GeminiLive::new(settings.clone())),
            VoiceProvider::Openai(settings) => Box::new(OpenaiRealtime::new(settings.clone())),
            VoiceProvider::Offline => Box::new(GeminiLive::default()),
        }
    }

    pub(crate) fn setup(&self, instructions: String) -> Setup {
        let mut setup = Setup::new(&self.model, instructions);
        setup.voice.clone_from(&self.voice);
        setup.language.clone_from(&self.language);
        setup.turn_detection = self.turn_detection.clone();
        setup.compression = self.compression;
        setup
    }
}

/// Why the list of providers is invalid.
#[derive(Debug)]
pub enum ProvidersError {
    UnknownDefault(String),
    Target { provider: String, error: TargetError },
    Tls(std::io::Error),
}

impl fmt::Display for ProvidersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDefault(name) => {
                write!(f, "expected a voice provider that is set up, found {name:?}")
            }
            Self::Target { provider, error } => write!(f, "voice provider {provider:?}: {error}"),
            Self::Tls(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProvidersError {}

/// The providers of a server.
#[derive(Debug, Clone)]
pub struct Providers {
    usual: String,
    known: BTreeMap<String, Arc<Provider>>,
    tls: Arc<ClientConfig>,
}

impl Providers {
    /// These providers; `usual` is used when a client names none.
    pub fn new(
        usual: impl Into<String>,
        known: impl IntoIterator<Item = (String, Provider)>,
    ) -> Result<Self, ProvidersError> {
        let tls = trusted_tls().map_err(ProvidersError::Tls)?;
        Self::trusting(usual, known, tls)
    }

    /// The same, with a given TLS configuration.
    pub fn trusting(
        usual: impl Into<String>,
        known: impl IntoIterator<Item = (String, Provider)>,
        tls: Arc<ClientConfig>,
    ) -> Result<Self, ProvidersError> {
        let usual = usual.into();
        let known: BTreeMap<_, _> =
            known.into_iter().map(|(name, provider)| (name, Arc::new(provider))).collect();
        if !known.contains_key(&usual) {
            return Err(ProvidersError::UnknownDefault(usual));
        }
        for (name, provider) in &known {
            let wrong = |error| ProvidersError::Target { provider: name.clone(), error };
            provider.target().map_err(wrong)?;
        }
        Ok(Self { usual, known, tls })
    }

    /// The built-in provider only, which listens at this address and needs no certificates.
    pub fn offline(base_url: &str) -> Result<Self, ProvidersError> {
        let mut provider = Provider::new(VoiceProvider::Offline, OFFLINE, ApiKey::new(OFFLINE));
        provider.base_url = Some(base_url.to_owned());
        let no_roots = tls(RootCertStore::empty()).map_err(ProvidersError::Tls)?;
        Self::trusting(OFFLINE, [(OFFLINE.to_owned(), provider)], no_roots)
    }

    /// The provider of this name, or the default one, with its name.
    pub(crate) fn find(&self, name: Option<&str>) -> Option<(&str, &Arc<Provider>)> {
        let (name, provider) = self.known.get_key_value(name.unwrap_or(&self.usual))?;
        Some((name, provider))
    }

    /// The name of the default provider.
    pub fn usual(&self) -> &str {
        &self.usual
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// Connects to a provider.
    pub(crate) fn begin(
        &self,
        provider: &Arc<Provider>,
        setup: Setup,
    ) -> Result<LiveProvider, TargetError> {
        let world = UpstreamConfig {
            target: provider.target()?,
            tls: self.tls.clone(),
            reconnect: provider.reconnect,
            limits: provider.silence,
            jitter: Box::new(Jitter::random),
        };
        let provider = provider.clone();
        Ok(Upstream::begin(world, setup, move || provider.protocol()))
    }
}

#[cfg(test)]
#[path = "providers_tests.rs"]
mod tests;
