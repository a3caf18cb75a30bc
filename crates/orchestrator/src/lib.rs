//! The gate every call passes: a conversation's state, the call pipeline and
//! its policies. It knows no provider, no socket and no HTTP.

pub mod expression;
pub mod preview;
pub mod speech;
pub mod state;
pub mod token;
