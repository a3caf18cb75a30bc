//! A place where a value is described, before references and alternatives are
//! followed; and the alternatives found by following them.

use super::node::Node;
use super::root::{Root, SchemaRef};

/// More alternatives than this are not compared.
const MOST_ALTERNATIVES: usize = 256;

/// More steps than this are not taken to find them.
const MOST_STEPS: usize = 20_000;

const UNIONS: [&str; 2] = ["anyOf", "oneOf"];

/// Schemas that all apply to one value.
#[derive(Debug, Clone)]
pub(in crate::breaking) struct Site<'a> {
    pub(super) root: Root<'a>,
    /// Where the value is described, or would be, in `schema.json`.
    pub(in crate::breaking) at: String,
    pub(super) schemas: Vec<SchemaRef<'a>>,
}

/// An alternative under construction.
#[derive(Clone)]
struct PartialSite<'a> {
    todo: Vec<SchemaRef<'a>>,
    parts: Vec<SchemaRef<'a>>,
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

    /// Whether no value fits, said outright by `false`.
    pub(in crate::breaking) fn is_closed(&self) -> bool {
        self.schemas.iter().any(|part| part.schema == false)
    }

    /// What tells this set of schemas, behind references, from every other one.
    pub(super) fn identity(&self) -> Vec<usize> {
        let target =
            |part: &SchemaRef<'a>| std::ptr::from_ref(self.root.follow(part.schema)).addr();
        let mut identity: Vec<_> = self.schemas.iter().map(target).collect();
        identity.sort_unstable();
        identity.dedup();
        identity
    }

    /// The `default` that a missing value is filled from, and where it stands.
    /// Those inside of a union fill nothing.
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

    /// The ways in which a value can fit, with references and `allOf` followed.
    /// None where there are too many to look at.
    pub(in crate::breaking) fn alternatives(&self) -> Option<Vec<Node<'a>>> {
        let mut todo = self.schemas.clone();
        todo.reverse();
        let mut open = vec![PartialSite { todo, parts: Vec::new() }];
        let mut done = Vec::new();
        for _ in 0..MOST_STEPS {
            let Some(mut partial) = open.pop() else { return Some(done) };
            match partial.todo.pop() {
                Some(part) => open.extend(self.advance(partial, &part)),
                None => done.extend(Some(Node::new(self, partial.parts)).filter(Node::is_possible)),
            }
            if open.len() + done.len() > MOST_ALTERNATIVES {
                return None;
            }
        }
        None
    }

    /// Adds one schema to an alternative, which may then be several, last first.
    fn advance(&self, mut partial: PartialSite<'a>, part: &SchemaRef<'a>) -> Vec<PartialSite<'a>> {
        let known = partial.parts.iter().any(|other| other.identity() == part.identity());
        if known || part.schema == true {
            return vec![partial];
        }
        if part.schema == false {
            return Vec::new();
        }
        let mut all = part.list("allOf");
        all.extend(self.root.target(part));
        partial.todo.extend(all.into_iter().rev());
        partial.parts.push(part.clone());
        let unions = UNIONS.iter().filter(|union| part.get(union).is_some());
        unions.fold(vec![partial], |open, union| multiply(&open, &part.list(union)))
    }
}

/// Every alternative with every branch.
fn multiply<'a>(open: &[PartialSite<'a>], branches: &[SchemaRef<'a>]) -> Vec<PartialSite<'a>> {
    let mut all = Vec::new();
    for branch in branches.iter().rev() {
        for partial in open {
            let mut next = partial.clone();
            // Below what is yet to do, so that the common schemas come first.
            next.todo.insert(0, branch.clone());
            all.push(next);
        }
    }
    all
}
