//! The command as a person uses it: over real folders, by its output and its exit.

mod artifact;
mod bad_input;
mod breaking;
mod describe;
mod findings;
mod help;
mod new;
mod readme;
mod workspace;
