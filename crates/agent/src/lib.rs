//! An agent: a model's transport joined with a conversation.
//!
//! What a model is told before the first word, the loop in writing, the history and what is left of
//! it. Whether a call is made is the orchestrator's, how a provider is spoken to the transports'.
