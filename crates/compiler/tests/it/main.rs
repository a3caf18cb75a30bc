//! The compiler from outside, by its output.
#![allow(clippy::unwrap_used, clippy::panic)]

mod breaking;
