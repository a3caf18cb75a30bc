//! Follows references from schema to schema while they are about the same value.

use std::collections::HashMap;

use super::survey::{Reference, Survey};

/// Maximum length of a chain of references, and keywords such as `allOf`, about one value.
pub(crate) const MAX_CHAIN: u64 = 64;

/// Maximum number of checks of one value through references.
pub(crate) const MAX_CHECKS: u64 = 100_000;

/// The fault of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CycleFault {
    /// It leads back to itself.
    Endless,
    /// It begins a chain that is too long.
    TooLong,
    /// It stands for too many checks.
    TooMany,
}

/// A reference that is followed from some schema.
#[derive(Debug, Clone, Copy)]
struct Edge<'a> {
    reference: usize,
    target: &'a str,
    /// The steps from the schema to the target.
    length: u64,
}

/// The chain behind a schema.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    length: u64,
    checks: u64,
}

#[derive(Debug, Clone, Copy)]
enum VisitState {
    Open,
    Done(Reach),
}

/// The references that should not be followed; `targets` has the target of each.
pub(crate) fn find(survey: &Survey<'_>, targets: &[Option<String>]) -> Vec<(usize, CycleFault)> {
    if targets.is_empty() {
        return Vec::new();
    }
    let graph = graph(survey, targets);
    let mut search = Search { graph: &graph, states: HashMap::new(), troubles: Vec::new() };
    for target in targets.iter().flatten() {
        search.run(target);
    }
    search.troubles
}

/// For every schema, the references that are followed when a value is checked against it.
fn graph<'a>(
    survey: &'a Survey<'_>,
    targets: &'a [Option<String>],
) -> HashMap<&'a str, Vec<Edge<'a>>> {
    let mut graph: HashMap<&str, Vec<Edge<'_>>> = HashMap::new();
    for (index, (reference, target)) in survey.references.iter().zip(targets).enumerate() {
        let Some(target) = target else { continue };
        for (schema, length) in schemas_above(reference) {
            graph.entry(schema).or_default().push(Edge { reference: index, target, length });
        }
    }
    graph
}

/// The schemas about the same value that hold a reference, from the inside out.
fn schemas_above<'a>(reference: &'a Reference<'_>) -> impl Iterator<Item = (&'a str, u64)> {
    let mut pointer = Some(reference.holder.as_str());
    let mut steps = 0_u64;
    std::iter::from_fn(move || {
        let here = pointer.filter(|here| here.len() >= reference.run)?;
        pointer = here.rsplit_once('/').map(|(outer, _)| outer);
        let length = 1 + steps.div_ceil(2);
        steps += 1;
        Some((here, length))
    })
}

struct Search<'g, 'a> {
    graph: &'g HashMap<&'a str, Vec<Edge<'a>>>,
    states: HashMap<&'a str, VisitState>,
    troubles: Vec<(usize, CycleFault)>,
}

/// A schema whose edges are being followed.
struct VisitFrame<'g, 'a> {
    schema: &'a str,
    /// The remaining edges; the first one is being followed.
    edges: &'g [Edge<'a>],
    reach: Reach,
}

impl<'g, 'a> Search<'g, 'a> {
    /// Depth-first search with an explicit stack, because chains may be long.
    fn run(&mut self, start: &'a str) {
        let mut stack = Vec::new();
        self.enter(start, &mut stack);
        while let Some(frame) = stack.last_mut() {
            let Some((edge, rest)) = frame.edges.split_first() else {
                self.states.insert(frame.schema, VisitState::Done(frame.reach));
                stack.pop();
                continue;
            };
            match self.states.get(edge.target) {
                None => self.enter(edge.target, &mut stack),
                Some(VisitState::Open) => {
                    self.troubles.push((edge.reference, CycleFault::Endless));
                    frame.edges = rest;
                }
                Some(VisitState::Done(reach)) => {
                    let reach = *reach;
                    frame.edges = rest;
                    self.add(edge, reach, &mut frame.reach);
                }
            }
        }
    }

    fn enter(&mut self, schema: &'a str, stack: &mut Vec<VisitFrame<'g, 'a>>) {
        if self.states.contains_key(schema) {
            return;
        }
        self.states.insert(schema, VisitState::Open);
        let edges = self.graph.get(schema).map(Vec::as_slice).unwrap_or_default();
        stack.push(VisitFrame { schema, edges, reach: Reach { length: 0, checks: 1 } });
    }

    /// Adds the chain behind an edge; a chain over a limit is reported only here.
    fn add(&mut self, edge: &Edge<'_>, behind: Reach, reach: &mut Reach) {
        let length = behind.length + edge.length;
        if length > MAX_CHAIN {
            self.troubles.push((edge.reference, CycleFault::TooLong));
        } else {
            reach.length = reach.length.max(length);
        }
        let checks = reach.checks.saturating_add(behind.checks);
        if checks > MAX_CHECKS {
            self.troubles.push((edge.reference, CycleFault::TooMany));
            reach.checks = 1;
        } else {
            reach.checks = checks;
        }
    }
}
