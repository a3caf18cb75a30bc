//! Fetches the content of a public address, for engines that check a link before they pass it on.
//! It accepts any public host, also over http, and sends no headers or credentials of a tool.

use http::Method;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName};
use tokio::time::timeout;
use url::Url;

use super::client::{HttpClient, MOST_REDIRECTS};
use super::connection::{StreamingResponse, too_large};
use super::fault::HttpFault;
use super::hop::CheckedRequest;
use super::rules::authority;

/// The content of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub status: u16,
    /// As the server declares it.
    pub content_type: Option<String>,
    pub bytes: Vec<u8>,
}

impl HttpClient {
    /// Reads the content of an address, if it has at most this many bytes.
    pub async fn look(&self, url: &str, most: usize) -> Result<Probe, HttpFault> {
        let limit = self.options.timeout(None);
        let first = CheckedRequest {
            method: Method::GET,
            url: self.rules.admit_look(url)?,
            headers: HeaderMap::new(),
            body: None,
        };
        let late =
            || HttpFault::timeout(format!("no whole answer within {} ms", limit.as_millis()));
        timeout(limit, self.look_on(first, most)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn look_on(&self, mut hop: CheckedRequest, most: usize) -> Result<Probe, HttpFault> {
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&hop).await?;
            let next: Option<Url> = hop.destination(response.status, &response.headers)?;
            let Some(url) = next else {
                return read(response, &authority(&hop.url), most).await;
            };
            self.rules.check_look(&url)?;
            hop = hop.redirected(response.status, url);
        }
        Err(HttpFault::refused(format!("more than {MOST_REDIRECTS} redirects")))
    }
}

async fn read(response: StreamingResponse, host: &str, most: usize) -> Result<Probe, HttpFault> {
    let header = |name: HeaderName| response.headers.get(name).and_then(|it| it.to_str().ok());
    let length = header(CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large(host, most));
    }
    let status = response.status.as_u16();
    let content_type = header(CONTENT_TYPE).map(str::to_owned);
    Ok(Probe { status, content_type, bytes: response.read(host, most).await? })
}
