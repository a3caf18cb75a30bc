//! Generators behind an HTTP interface. The parts that all share are here; the wire formats are in
//! `openai` and `gemini`. The key goes into one header and nowhere else, and never over plain http to
//! another machine unless the settings allow it.

mod gemini;
mod openai;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::http::HttpClient;
use aileron_capability::{Answer, CapabilityFault, FaultCode};
use aileron_http::service::{
    HttpCall, HttpReply, RequestError, Service, is_loopback, secret_header,
};
use futures_util::FutureExt;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::Value;
use url::Url;

use crate::generator::{Generator, ImageSpec, UncheckedImage};

const PLAIN: &str = "expected https, found http, which would send the key unencrypted: \
    list the host in [http] allow_plain to use it all the same";
const ELSEWHERE: &str = "an address of one, and there";

/// Characters of a provider's message that ours repeats.
const MOST_WORDS: usize = 200;

/// Where a provider's model is and how to use it.
#[derive(Clone)]
pub struct ProviderSettings {
    /// With the version: `https://api.openai.com/v1`.
    pub base: String,
    pub model: String,
    pub key: Option<String>,
    /// The most bytes of an image.
    pub image_bytes: usize,
    pub timeout: Duration,
    /// Whether the key may go to another machine over plain http.
    pub allow_plain: bool,
    /// To fetch an image from the address a provider answers with.
    pub web: Option<Arc<HttpClient>>,
}

impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderSettings")
            .field("base", &self.base)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// The part that differs between providers: their wire formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    OpenAi,
    Gemini,
}

/// An image model of a provider.
#[derive(Debug, Clone)]
pub struct ImageProvider {
    wire: Wire,
    service: Service,
    url: Url,
    model: String,
    image_bytes: usize,
    web: Option<Arc<HttpClient>>,
}

/// The image in a provider's response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProviderImage<'a> {
    /// The image in base64.
    Encoded(&'a str),
    /// The URL of the image.
    At(&'a str),
    Nothing,
}

impl ImageProvider {
    /// OpenAI, or a server that speaks its protocol.
    pub fn openai(settings: &ProviderSettings) -> Result<Self, String> {
        Self::new(Wire::OpenAi, settings, openai::PATH, ("authorization", "Bearer "))
    }

    /// Google's Gemini; the base is `https://generativelanguage.googleapis.com/v1beta`.
    pub fn gemini(settings: &ProviderSettings) -> Result<Self, String> {
        let path = gemini::path(&settings.model);
        Self::new(Wire::Gemini, settings, &path, ("x-goog-api-key", ""))
    }

    fn new(
        wire: Wire,
        settings: &ProviderSettings,
        path: &str,
        (header, before): (&'static str, &str),
    ) -> Result<Self, String> {
        let model = &settings.model;
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/@".contains(letter);
        if model.is_empty() || !model.chars().all(plain) || model.contains("..") {
            return Err(format!(
                "expected a model's name of letters, digits and -_.:/@, found {model:?}"
            ));
        }
        let url = address(&settings.base, path)?;
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.key {
            if url.scheme() == "http" && !settings.allow_plain && !is_loopback(&url) {
                return Err(PLAIN.to_owned());
            }
            let value = secret_header(&format!("{before}{key}"))?;
            headers.insert(HeaderName::from_static(header), value);
        }
        // Base64 adds a third, and the answer has other fields too.
        let most = settings.image_bytes / 3 * 4 + (1 << 20);
        let service = Service::new(headers, settings.timeout, most, None)?;
        let (image_bytes, web) = (settings.image_bytes, settings.web.clone());
        Ok(Self { wire, service, url, model: model.clone(), image_bytes, web })
    }

    async fn ask(self, drawing: ImageSpec) -> Result<UncheckedImage, CapabilityFault> {
        let body = match self.wire {
            Wire::OpenAi => openai::body(&self.model, &drawing),
            Wire::Gemini => gemini::body(&drawing),
        };
        let ask = HttpCall::new(Method::POST, self.url.clone())
            .body("application/json", body.to_string());
        let reply = self.service.ask(ask).await.map_err(|no_reply| match no_reply {
            RequestError::NotSent(fault) => fault,
            // An image may have been generated and charged.
            RequestError::Lost(fault) => CapabilityFault::new(FaultCode::Timeout, fault.message),
        })?;
        let answer: Option<Value> = serde_json::from_slice(&reply.body).ok();
        if reply.status != 200 {
            return Err(self.refusal(&reply, answer.as_ref()));
        }
        let answer = answer.ok_or_else(|| self.odd("an answer that is not JSON"))?;
        let found = match self.wire {
            Wire::OpenAi => Ok(openai::image(&answer)),
            Wire::Gemini => gemini::image(&answer),
        };
        match found.map_err(|why| self.declined(&why))? {
            ProviderImage::Encoded(text) => {
                let decoded = data_encoding::BASE64.decode(text.as_bytes());
                decoded
                    .map(UncheckedImage::from)
                    .map_err(|_| self.odd("an image that is not base64"))
            }
            ProviderImage::At(url) => self.fetch(url).await.map(UncheckedImage::from),
            ProviderImage::Nothing => Err(self.odd(match self.wire {
                Wire::OpenAi => openai::NOTHING,
                Wire::Gemini => gemini::NOTHING,
            })),
        }
    }

    /// Fetches an image from a URL of the provider or of any public host.
    async fn fetch(&self, written: &str) -> Result<Vec<u8>, CapabilityFault> {
        let url = Url::parse(written).ok();
        let own = url.filter(|url| url.origin() == self.url.origin());
        let got: Result<(u16, Vec<u8>), CapabilityFault> = match (own, &self.web) {
            (Some(url), _) => {
                let reply = self.service.ask(HttpCall::new(Method::GET, url)).await;
                reply.map(|reply| (reply.status, reply.body)).map_err(CapabilityFault::from)
            }
            (None, Some(web)) => {
                let looked = web.look(written, self.image_bytes).await;
                looked.map(|looked| (looked.status, looked.bytes)).map_err(CapabilityFault::from)
            }
            (None, None) => Err(CapabilityFault::new(
                FaultCode::Unavailable,
                "images cannot be fetched: no HTTP client is configured",
            )),
        };
        match got {
            Ok((200, bytes)) => Ok(bytes),
            Ok((status, _)) => Err(self.odd(&format!("{ELSEWHERE} status {status}"))),
            Err(fault) => Err(self.odd(&format!("{ELSEWHERE} no answer: {fault}"))),
        }
    }

    fn who(&self) -> &'static str {
        match self.wire {
            Wire::OpenAi => "openai",
            Wire::Gemini => "gemini",
        }
    }

    /// The fault of a status, with the provider's reason if it gave one.
    fn refusal(&self, reply: &HttpReply, answer: Option<&Value>) -> CapabilityFault {
        let reason = answer.and_then(|it| it.pointer("/error/message")).and_then(Value::as_str);
        let reason = reason.map(|text| format!(": {}", brief(text))).unwrap_or_default();
        let code = match reply.status {
            401 | 403 => FaultCode::Auth,
            429 => FaultCode::RateLimit,
            408 | 504 => FaultCode::Timeout,
            500..=599 => FaultCode::Unavailable,
            _ => FaultCode::Refused,
        };
        // A provider's message about a key may quote it.
        let reason = if code == FaultCode::Auth { ": check the key".to_owned() } else { reason };
        CapabilityFault::new(
            code,
            format!("{} answered with status {}{reason}", self.who(), reply.status),
        )
    }

    fn declined(&self, why: &str) -> CapabilityFault {
        CapabilityFault::new(
            FaultCode::Refused,
            format!("{} declined the prompt: {}", self.who(), brief(why)),
        )
    }

    /// The fault of an answer without an image, which may have been charged.
    fn odd(&self, what: &str) -> CapabilityFault {
        CapabilityFault::new(
            FaultCode::Unusable,
            format!("expected an image from {}, found {what}", self.who()),
        )
    }
}

impl Generator for ImageProvider {
    fn name(&self) -> String {
        format!("{}/{}", self.who(), self.model)
    }

    fn is_free(&self) -> bool {
        false
    }

    fn draw(&self, drawing: ImageSpec) -> Answer<UncheckedImage> {
        self.clone().ask(drawing).boxed()
    }
}

/// The prompt followed by the negative prompt as text, because these models have no separate field.
fn whole_prompt(drawing: &ImageSpec) -> String {
    match drawing.negative_prompt.trim() {
        "" => drawing.prompt.clone(),
        avoid => format!("{}\n\nKeep out of the image: {avoid}", drawing.prompt),
    }
}

/// A provider's message on one line.
fn brief(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|letter| !letter.is_control()).take(MOST_WORDS).collect()
}

fn address(base: &str, path: &str) -> Result<Url, String> {
    let wrong =
        |why: &str| format!("expected the base address of an image API, found one that {why}");
    let url = Url::parse(&format!("{}/{path}", base.trim_end_matches('/')))
        .map_err(|_| wrong("is no URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("is neither http nor https"));
    }
    match url.username().is_empty() && !base.contains(['?', '#']) {
        true => Ok(url),
        false => Err(wrong("has a user, a query or a fragment in it")),
    }
}
