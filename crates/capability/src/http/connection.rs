//! The transport of a request: one method. `aileron-http` is the network implementation, `script`
//! answers from a script.

use std::fmt;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use http::{HeaderMap, StatusCode};

use super::fault::HttpFault;
use super::hop::CheckedRequest;

/// Sends requests that were already checked. It follows no redirect and retries nothing.
pub trait Connection: fmt::Debug + Send + Sync {
    /// Sends one request and waits for the head of its response.
    fn send<'a>(
        &'a self,
        hop: &'a CheckedRequest,
    ) -> BoxFuture<'a, Result<StreamingResponse, HttpFault>>;
}

/// A response whose body is still arriving.
pub struct StreamingResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: BoxStream<'static, Result<Vec<u8>, HttpFault>>,
}

impl fmt::Debug for StreamingResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Received").field("status", &self.status).finish_non_exhaustive()
    }
}

impl StreamingResponse {
    /// Reads the body as it arrives and stops at the limit.
    pub(super) async fn read(mut self, host: &str, most: usize) -> Result<Vec<u8>, HttpFault> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.body.next().await.transpose()? {
            if bytes.len() + chunk.len() > most {
                return Err(too_large(host, most));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// The refusal of a body that is longer than allowed.
pub(super) fn too_large(host: &str, most: usize) -> HttpFault {
    HttpFault::refused(format!("`{host}` answered with more than {most} bytes"))
}
