//! Images behind the `images` capability: made by a `Generator` (a provider over HTTP, or a card
//! drawn here), checked by their bytes (`inspect`), kept by content (`store`) and made once for a
//! key (`engine`). Showing them is left to others; `ImageStore::open` returns the bytes and their
//! type.

mod card;
mod engine;
mod generator;
mod inspect;
mod provider;
mod store;

pub use card::CardGenerator;
pub use engine::{ImageEngine, ImageLimits};
pub use generator::{Drawing, Generator, Picture, Shape};
pub use inspect::{ImageKind, Inspected, Unfit, inspect};
pub use provider::{ImageProvider, ProviderSettings};
pub use store::{Addresses, ImageStore, OpenedImage};
