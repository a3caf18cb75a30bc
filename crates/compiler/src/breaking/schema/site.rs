//! A place where a value is described, before references and alternatives are
//! followed.

use super::root::{Root, SchemaRef};

/// Schemas that all apply to one value.
#[derive(Debug, Clone)]
pub(in crate::breaking) struct Site<'a> {
    pub(super) root: Root<'a>,
    /// Where the value is described, or would be, in `schema.json`.
    pub(in crate::breaking) at: String,
    pub(super) schemas: Vec<SchemaRef<'a>>,
}

impl<'a> Site<'a> {
    /// The top of a document.
    pub(super) fn top(root: Root<'a>) -> Self {
        let top = SchemaRef { pointer: root.base.to_owned(), schema: root.schema };
        Self::of(root, top)
    }

    /// The place of one schema.
    pub(super) fn of(root: Root<'a>, part: SchemaRef<'a>) -> Self {
        Self { root, at: part.pointer.clone(), schemas: vec![part] }
    }

    /// Whether no value is allowed, by a schema `false`.
    pub(in crate::breaking) fn is_closed(&self) -> bool {
        self.schemas.iter().any(|part| part.schema == false)
    }

    /// The identity of this set of schemas, with references followed.
    pub(super) fn identity(&self) -> Vec<usize> {
        let target =
            |part: &SchemaRef<'a>| std::ptr::from_ref(self.root.follow(part.schema)).addr();
        let mut identity: Vec<_> = self.schemas.iter().map(target).collect();
        identity.sort_unstable();
        identity.dedup();
        identity
    }

    /// The `default` that a missing value is filled from, and its position. A default inside of a
    /// union is not filled in.
    pub(in crate::breaking) fn default(&self) -> Option<SchemaRef<'a>> {
        let mut reached = self.schemas.clone();
        let mut at = 0;
        while let Some(part) = reached.get(at).cloned() {
            if let Some(default) = part.below("default") {
                return Some(default);
            }
            for next in part.list("allOf").into_iter().chain(self.root.target(&part)) {
                if !reached.iter().any(|known| known.identity() == next.identity()) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        None
    }
}
