//! The one list of the operations of the API. The routes and `/openapi.json` are built from it.

mod conversation;
mod server;

use super::operation::Operation;

/// All operations.
pub(super) fn all() -> impl Iterator<Item = &'static Operation> {
    conversation::OPERATIONS.iter().chain(server::OPERATIONS)
}
