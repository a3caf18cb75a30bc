//! Images behind the `images` capability.
//!
//! A `Generator` creates one image: a `provider` over HTTP, or a locally drawn `card` that says so.
//! `inspect` reads a file to its end and refuses files that are not images, damaged or too large to
//! show. `store` keeps files by content and rows by conversation, for a limited time. `engine`
//! generates the images of one key once, stores each as it completes, and returns before the
//! deadline with the finished ones. The server decides who may see an image
//! (`server/src/api/images`); `ImageStore::open` returns the bytes, their type and their
//! conversation.

mod card;
mod engine;
mod generator;
mod inspect;
mod provider;
mod store;

pub use card::CardGenerator;
pub use engine::{ImageEngine, ImageLimits};
pub use generator::{AspectRatio, Generator, ImageSpec, UncheckedImage};
pub use inspect::{ImageError, ImageFacts, ImageKind, inspect};
pub use provider::{ImageProvider, ProviderSettings};
pub use store::{Addresses, ImageStore, OpenedImage};
