//! The model as the loop sees it, so that scripts can stand in for one.

use std::fmt;

use aileron_contract::Provider;
use aileron_contract::text::{ModelRequest, ReplyEvent, ReplyFault};
use aileron_transports::text::{self, TextModel};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

/// A model that is asked for one reply at a time.
pub trait Model: Send + Sync + fmt::Debug {
    /// Which of the registry's declarations a request carries.
    fn declarations(&self) -> Provider;

    /// Asks for a reply. Nothing of the request is needed afterwards.
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

/// A reply while it is read. Dropping it calls the request off.
pub trait ReplyStream: Send {
    /// The next piece; none after the last.
    fn next(&mut self) -> BoxFuture<'_, Option<Result<ReplyEvent, ReplyFault>>>;
}
