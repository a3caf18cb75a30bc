//! The protocols in writing, over a real port.

mod client;
mod faults;
mod offline;
mod sdk;
mod strict;
