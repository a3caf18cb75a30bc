//! OpenAI Live (GPT-Live), the server's side, with client delegation.
//!
//! Its clock is the client's audio: without audio nothing happens. The simulated voice opens a delegation for
//! each utterance of the person, says what it is given as commentary, and says exactly what instructions
//! dictate.

mod map;
mod session;
mod wire;

pub(crate) use session::OpenaiLive;
