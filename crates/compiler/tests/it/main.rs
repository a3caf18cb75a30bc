//! The compiler from outside, by what it says.
#![allow(clippy::unwrap_used, clippy::panic)]

mod breaking;
