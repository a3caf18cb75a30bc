//! The native handlers of this toolset. The build script finds every
//! `<tool>/handler.rs`; there is no list to edit.

use aileron_capability::{Native, Natives};

// One module for each handler, and `HANDLERS` with all of them.
include!(concat!(env!("OUT_DIR"), "/handlers.rs"));

/// The native handlers, each with the hash of the sources it was built from.
pub fn natives() -> Natives {
    Natives::new(HANDLERS.iter().copied())
}
