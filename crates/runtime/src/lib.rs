//! Loads a registry and runs its tools: checks arguments, binds and runs
//! handlers, builds the envelope. It knows no policy, no provider, and of a
//! conversation only what a handler may see.

pub mod alike;
mod bridge;
pub mod capability;
pub mod cases;
mod clock;
mod context;
mod defect;
mod ending;
pub mod envelope;
pub mod http;
pub mod js;
pub mod memory;
pub mod moment;
pub mod native;
mod outcome;
mod registry;
pub mod secrets;
mod tool;

pub use aileron_schema::{
    Fault as ArgumentFault, FaultKind as ArgumentFaultKind, Faults as ArgumentFaults,
};
pub use capability::{Caller, Fault, FaultCode, Platform};
pub use clock::{Clock, ManualClock, SystemClock};
pub use context::{Context, Surroundings};
pub use defect::Defect;
pub use ending::Ending;
pub use native::{Native, Natives, NotBound};
pub use outcome::{Success, ToolError, ToolResult, success};
pub use registry::{LoadError, Registry, ToolFault};
pub use tool::{Handlers, Rejected, Tool};
