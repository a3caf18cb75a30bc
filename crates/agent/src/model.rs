//! The model as the loop sees it, so that tests can use scripted ones.

use std::fmt;

use aileron_contract::Provider;
use aileron_contract::text::{ModelRequest, ReplyEvent, ReplyFault};
use aileron_transports::text::{self, TextModel};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

/// A model that gives one reply at a time.
pub trait Model: Send + Sync + fmt::Debug {
    /// The provider whose declarations a request contains.
    fn declarations(&self) -> Provider;

    /// Requests a reply. The request is not needed afterwards.
    fn begin(&self, request: &ModelRequest<'_>) -> Box<dyn ReplyStream>;
}

impl Model for TextModel {
    fn declarations(&self) -> Provider {
        Self::declarations(self)
    }

    fn begin(&self, request: &ModelRequest<'_>) -> Box<dyn ReplyStream> {
        Box::new(Self::begin(self, request))
    }
}

impl ReplyStream for text::HttpReplyStream {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<ReplyEvent, ReplyFault>>> {
        Self::next(self).boxed()
    }
}

/// A reply that is being read. Dropping it cancels the request.
pub trait ReplyStream: Send {
    /// The next event; `None` after the last.
    fn next(&mut self) -> BoxFuture<'_, Option<Result<ReplyEvent, ReplyFault>>>;
}
