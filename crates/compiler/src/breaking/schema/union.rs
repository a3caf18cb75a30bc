//! Alternatives against alternatives: each piece of the first must fit into
//! one of the second.

use super::disjoint;
use super::node::Node;
use super::pair::{Name, SchemaChange};
use super::walk::CompareWalk;
use crate::breaking::arguments::union_no_narrow;

/// A part of an alternative, and which alternative that is.
struct UnionPart<'a> {
    node: Node<'a>,
    of: usize,
}

impl CompareWalk {
    pub(super) fn unions(
        &mut self,
        subs: &[Node<'_>],
        sups: &[Node<'_>],
        name: &Name,
    ) -> Vec<SchemaChange> {
        let mut left = Vec::new();
        let mut holders = vec![Vec::new(); sups.len()];
        for (of, sub) in subs.iter().enumerate() {
            for node in sub.pieces() {
                match self.cover(&node, of, sups, name).and_then(|index| holders.get_mut(index)) {
                    Some(holders) => holders.push(of),
                    None if disjoint::is_empty(&node) => {}
                    None => left.push(UnionPart { node, of }),
                }
            }
        }
        left.iter()
            .flat_map(|piece| {
                let held = sups.iter().zip(&holders);
                let free = held.filter(|(_, holders)| holders.iter().all(|of| *of == piece.of));
                let free: Vec<_> = free.map(|(sup, _)| sup).collect();
                self.explain(&piece.node, subs, sups, &free, name)
            })
            .collect()
    }

    /// The alternative that a piece fits into, first tried at the same index.
    fn cover(
        &mut self,
        piece: &Node<'_>,
        of: usize,
        sups: &[Node<'_>],
        name: &Name,
    ) -> Option<usize> {
        let mut order = std::iter::once(of).chain((0..sups.len()).filter(|index| *index != of));
        order.find(|index| {
            sups.get(*index).is_some_and(|sup| {
                !disjoint::nodes(piece, sup, sup.declared())
                    && self.nodes(piece, sup, name).is_empty()
            })
        })
    }

    /// Why a piece fits nowhere: the faults of its nearest alternative, or that there is none.
    fn explain(
        &mut self,
        piece: &Node<'_>,
        subs: &[Node<'_>],
        sups: &[Node<'_>],
        free: &[&Node<'_>],
        name: &Name,
    ) -> Vec<SchemaChange> {
        let nearest = self.nearest(piece, free.iter().copied(), name);
        let nearest = match subs {
            [_] => nearest.or_else(|| self.nearest(piece, sups.iter(), name)),
            _ => nearest,
        };
        nearest.unwrap_or_else(|| {
            let sup = sups.first().unwrap_or(piece);
            vec![union_no_narrow::lost(&self.pair(piece, sup, name), subs.len() > 1)]
        })
    }

    /// The smallest list of faults among the comparable alternatives.
    fn nearest<'s, 'a: 's>(
        &mut self,
        piece: &Node<'_>,
        sups: impl Iterator<Item = &'s Node<'a>>,
        name: &Name,
    ) -> Option<Vec<SchemaChange>> {
        let related = sups.filter(|sup| !disjoint::nodes(piece, sup, sup.declared()));
        related.map(|sup| self.nodes(piece, sup, name)).min_by_key(Vec::len)
    }
}
