//! The server side of OpenAI's text protocols: Responses and Chat Completions.

mod chat;
pub(crate) mod error;
mod responses;
mod tools;

pub(crate) use chat::Chat;
pub(crate) use responses::Responses;
