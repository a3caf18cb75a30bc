//! The parts of server events: items, responses, errors, rate limits.

use serde::Deserialize;

use super::usage::ResponseUsage;
use crate::lenient::{self, Text};

/// An item of the conversation. Only the fields of calls are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Item<'a> {
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) id: Text<'a>,
    #[serde(borrow, rename = "type", deserialize_with = "lenient::nullable")]
    pub(crate) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) status: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) call_id: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) name: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) arguments: Text<'a>,
}

impl Item<'_> {
    pub(crate) fn is_call(&self) -> bool {
        self.kind.as_str() == "function_call"
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Response<'a> {
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) id: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) status: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) status_details: StatusDetails<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) output: Vec<Item<'a>>,
    pub(crate) usage: Option<ResponseUsage>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) metadata: Metadata<'a>,
}

/// Our metadata, by which we recognise our responses.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Metadata<'a> {
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) aileron: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StatusDetails<'a> {
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) reason: Text<'a>,
    #[serde(borrow)]
    pub(crate) error: Option<ErrorDetails<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ErrorDetails<'a> {
    #[serde(borrow, rename = "type", deserialize_with = "lenient::nullable")]
    pub(crate) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) code: Text<'a>,
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) message: Text<'a>,
    /// The id of our event that the error refers to.
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) event_id: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RateLimitEntry<'a> {
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    pub(crate) name: Text<'a>,
    #[serde(deserialize_with = "lenient::count")]
    pub(crate) limit: u64,
    #[serde(deserialize_with = "lenient::count")]
    pub(crate) remaining: u64,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(crate) reset_seconds: f64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Session<'a> {
    #[serde(borrow)]
    pub(crate) id: Option<Text<'a>>,
}
