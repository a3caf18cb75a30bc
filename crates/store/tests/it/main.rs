//! Every guarantee of the store, over both implementations where both can give it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod child;
mod conformance;
mod crash;
mod crowd;
mod durable;
mod faults;
mod handover;
mod model;
mod processes;
mod rewound;
mod sample;
mod subject;
