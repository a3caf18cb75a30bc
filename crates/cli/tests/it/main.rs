//! The command as a person uses it: over real folders, by its output and its exit.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on must fail"
)]

mod actions;
mod artifact;
mod audit;
mod bad_input;
mod blocks;
mod breaking;
mod call;
mod chat;
mod describe;
mod engines;
mod findings;
mod help;
mod init;
mod kb;
mod keep_going;
mod migrate;
mod models;
mod new;
mod providers;
mod readme;
mod recipe;
mod records;
mod replay;
mod runtimes;
mod schema_fields;
mod serve;
mod settings;
mod simulate;
mod stats;
mod tasks;
mod test_command;
mod trusted_code;
mod workspace;
