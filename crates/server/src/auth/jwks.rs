//! Public keys that an issuer publishes (RFC 7517), fetched when a token names an unknown key: rarely, bounded,
//! and one request at a time.

mod key;

use std::error::Error;
use std::fmt;
use std::iter::successors;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use reqwest::{Client, Url, redirect};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

pub(super) use self::key::SigningKey;
use super::error::AuthError;

/// How long keys are used before they are fetched again.
const FRESH_MS: u64 = 10 * 60 * 1000;

/// How long keys are used while they cannot be fetched again. An issuer withdraws a key by not publishing it,
/// so this is how long a withdrawn key may still be accepted.
const STALE_MS: u64 = 60 * 60 * 1000;

/// Minimum time between two fetches, whichever keys tokens name.
const MIN_INTERVAL_MS: u64 = 30 * 1000;

const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 256 << 10;
const MAX_KEYS: usize = 64;

/// The keys at an address.
pub struct Jwks {
    url: Url,
    client: Client,
    known: RwLock<CachedKeys>,
    /// Held while keys are fetched. Requests whose key is known do not wait for it.
    asking: Mutex<()>,
}

#[derive(Default)]
struct CachedKeys {
    keys: Vec<Arc<SigningKey>>,
    fetched: Option<u64>,
    tried: Option<u64>,
}

#[derive(Deserialize)]
struct PublishedKeys {
    keys: Vec<Value>,
}

impl fmt::Debug for Jwks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Jwks({})", self.url)
    }
}

const ADDRESS: &str = "expected an https address, or http on this machine";

impl Jwks {
    /// The keys at an address. Fetches nothing yet.
    pub fn at(url: &str) -> Result<Self, String> {
        let url: Url = url.parse().map_err(|error| format!("{ADDRESS}: {error}"))?;
        if url.scheme() != "https" && !is_own(&url) {
            return Err(ADDRESS.to_owned());
        }
        // An installed provider serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(FETCH_TIMEOUT)
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { url, client, known: RwLock::default(), asking: Mutex::default() })
    }

    /// The key that a token names.
    pub(super) async fn find(
        &self,
        alg: &str,
        id: Option<&str>,
        now: u64,
    ) -> Result<Arc<SigningKey>, AuthError> {
        if let Some(key) = self.known(|known| known.fresh(alg, id, now)) {
            return Ok(key);
        }
        let _alone = self.asking.lock().await;
        if self.known(|known| known.fresh(alg, id, now).is_none() && known.may_ask(now)) {
            let keys = self.fetch().await;
            self.learn(keys, now);
        }
        self.known(|known| match known.age(now) < STALE_MS {
            true => known.find(alg, id).ok_or(AuthError::WrongToken),
            false => Err(AuthError::KeysUnavailable),
        })
    }

    fn known<T>(&self, look: impl FnOnce(&CachedKeys) -> T) -> T {
        look(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn learn(&self, keys: Result<Vec<Arc<SigningKey>>, String>, now: u64) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.tried = Some(now);
        match keys {
            Ok(keys) => (known.keys, known.fetched) = (keys, Some(now)),
            Err(why) => {
                let host = self.url.host_str();
                tracing::warn!(host, why, "The keys of the token issuer could not be fetched.");
            }
        }
    }

    /// Fetches the keys.
    async fn fetch(&self) -> Result<Vec<Arc<SigningKey>>, String> {
        let asked = self.client.get(self.url.clone()).send().await.map_err(reason)?;
        let mut answer = asked.error_for_status().map_err(reason)?;
        let mut text = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(reason)? {
            text.extend_from_slice(&chunk);
            if text.len() > MAX_BYTES {
                return Err(format!("expected at most {MAX_BYTES} bytes, found more"));
            }
        }
        let published: PublishedKeys = serde_json::from_slice(&text)
            .map_err(|error| format!("expected a set of keys, found something else: {error}"))?;
        // Keys of unknown kinds are skipped.
        let keys = published.keys.iter().take(MAX_KEYS).filter_map(SigningKey::read);
        Ok(keys.map(Arc::new).collect())
    }
}

impl CachedKeys {
    /// The key of that name; without a name, the only key.
    fn find(&self, alg: &str, id: Option<&str>) -> Option<Arc<SigningKey>> {
        let mut fitting = self.keys.iter().filter(|key| key.fits(alg, id));
        let first = fitting.next()?;
        let is_only_one = fitting.next().is_none();
        (is_only_one || id.is_some()).then(|| first.clone())
    }

    fn fresh(&self, alg: &str, id: Option<&str>, now: u64) -> Option<Arc<SigningKey>> {
        self.find(alg, id).filter(|_| self.age(now) < FRESH_MS)
    }

    fn age(&self, now: u64) -> u64 {
        self.fetched.map_or(u64::MAX, |at| now.saturating_sub(at))
    }

    fn may_ask(&self, now: u64) -> bool {
        self.tried.is_none_or(|at| now.saturating_sub(at) >= MIN_INTERVAL_MS)
    }
}

/// The error with its causes. The address is omitted, because it may contain a secret.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let causes = successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

fn is_own(url: &Url) -> bool {
    let own = |host: url::Host<&str>| match host {
        url::Host::Domain(name) => name == "localhost",
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
    };
    url.scheme() == "http" && url.host().is_some_and(own)
}
