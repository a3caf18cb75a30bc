//! The input of the checks of expressions: `schema.json` and the claims that conditions may read.

use super::shape::PlaceSchemas;
use crate::document::Document;
use crate::options::Options;

/// The input of every check of this family.
pub(crate) struct Subject<'a> {
    pub(crate) schema: &'a Document,
    pub(crate) parameters: Option<PlaceSchemas<'a>>,
    /// The claims that conditions may read of `user`.
    pub(crate) claims: &'a [String],
}

impl<'a> Subject<'a> {
    pub(super) fn of(schema: &'a Document, options: &'a Options) -> Self {
        let parameters = schema.get("/parameters").filter(|value| value.is_object());
        Self { schema, parameters: parameters.map(PlaceSchemas::of), claims: &options.claims }
    }
}
