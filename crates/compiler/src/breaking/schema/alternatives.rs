//! The alternatives of a place, found by following its references, `allOf` and unions.

use super::node::Node;
use super::root::SchemaRef;
use super::site::Site;

/// Maximum number of compared alternatives.
const MOST_ALTERNATIVES: usize = 256;

/// Maximum number of steps to find them.
const MOST_STEPS: usize = 20_000;

const UNIONS: [&str; 2] = ["anyOf", "oneOf"];

/// An alternative under construction.
#[derive(Clone)]
struct PartialSite<'a> {
    todo: Vec<SchemaRef<'a>>,
    parts: Vec<SchemaRef<'a>>,
}

impl<'a> Site<'a> {
    /// The alternatives of a value, with references and `allOf` followed. `None` if there are too
    /// many.
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

    /// Adds one schema to an alternative, which may split it into several, last first.
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
            // Below the pending schemas, so that the common ones come first.
            next.todo.insert(0, branch.clone());
            all.push(next);
        }
    }
    all
}
