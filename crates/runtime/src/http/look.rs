//! A look at what is at a public address, for engines that have to know what they pass on. It goes
//! to any public host, over http too, and carries nothing but the question.

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Response};
use tokio::time::timeout;
use url::Url;

use super::client::{HttpClient, MOST_REDIRECTS};
use super::fault::HttpFault;
use super::hop::Hop;
use super::rules::authority;

/// What is at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    pub status: u16,
    /// As the server says.
    pub content_type: Option<String>,
    pub bytes: Vec<u8>,
}

impl HttpClient {
    /// Reads what is at an address, if it has at most so many bytes.
    pub async fn look(&self, url: &str, most: usize) -> Result<Looked, HttpFault> {
        let limit = self.options.timeout(None);
        let first = Hop {
            method: Method::GET,
            url: self.rules.admit_look(url)?,
            headers: HeaderMap::new(),
            body: None,
        };
        let late =
            || HttpFault::timeout(format!("no whole answer within {} ms", limit.as_millis()));
        timeout(limit, self.look_on(first, most)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn look_on(&self, mut hop: Hop, most: usize) -> Result<Looked, HttpFault> {
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&hop).await?;
            let next: Option<Url> = hop.destination(response.status(), response.headers())?;
            let Some(url) = next else { return read(response, most).await };
            self.rules.check_look(&url)?;
            hop = hop.redirected(response.status(), url);
        }
        Err(HttpFault::refused(format!("more than {MOST_REDIRECTS} redirects")))
    }
}

async fn read(mut response: Response, most: usize) -> Result<Looked, HttpFault> {
    let host = authority(response.url());
    let too_large = || HttpFault::refused(format!("`{host}` answered with more than {most} bytes"));
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let status = response.status().as_u16();
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let content_type = kind.map(str::to_owned);
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| HttpFault::of(&error, &host))? {
        if bytes.len() + chunk.len() > most {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Looked { status, content_type, bytes })
}
