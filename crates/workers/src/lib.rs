//! Runs Node.js and Python handlers in worker processes.
//!
//! Such a handler is trusted code: it has the rights of the server's user. A worker is warm and runs
//! all handlers of a toolset and a runtime, several calls at once where the handler allows it. Worker
//! and server exchange lines of JSON over a socket (`message`, docs/worker-protocol.md); standard
//! output is log. The server enforces deadlines, memory and the size of messages, replaces workers
//! that die, leak or ignore a cancellation (`pool`, `worker`), and answers every call (`call`).

mod backoff;
mod call;
mod engine;
mod interpreter;
pub mod launch;
mod lease;
mod load;
mod memory;
mod message;
mod options;
mod output;
mod pool;
mod process;
mod python;
mod tool_code;
mod tree;
mod worker;

pub use engine::Workers;
pub use options::WorkerOptions;
