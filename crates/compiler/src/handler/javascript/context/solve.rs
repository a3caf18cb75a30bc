//! Follows the context from its entry to its uses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use oxc_span::Span;

use super::chain::{self, Chain};
use super::collect::{Bound, ModuleUses, NameUse, ValueUse};
use super::shape::{PatternEntry as Property, PatternShape};
use super::uses::{CapabilityUse, EntryFunction, Root, Uses};
use crate::handler::complaint::range;
use crate::handler::declared::capability_field;
use crate::lint::handler::unknown_context_member;

/// How often aliases of aliases are followed.
const ROUNDS: usize = 8;

/// The role of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameRole {
    /// The one argument of `execute`: the context, `args`, and the context again.
    Call,
    Context,
    Capability(&'static str),
}

pub(super) fn solve(code: &ModuleUses<'_>, root: &Root, entry: Option<&EntryFunction>) -> Uses {
    let mut solver = Solver {
        code,
        roles: HashMap::new(),
        uses: BTreeMap::new(),
        unknown: BTreeMap::new(),
        escapes: false,
    };
    let names = solver.enter(root, entry);
    for _ in 0..ROUNDS {
        let before = solver.roles.len();
        code.events.iter().for_each(|event| solver.spread(event));
        if solver.roles.len() == before {
            break;
        }
    }
    code.events.iter().for_each(|event| solver.note(event));
    let list = solver.uses.into_iter().map(|((start, end), (capability, secret))| CapabilityUse {
        capability,
        secret,
        place: range(Span::new(start, end)),
    });
    let unknown = solver.unknown.into_iter();
    let unknown =
        unknown.map(|((start, end), name)| (name.to_owned(), range(Span::new(start, end))));
    Uses { list: list.collect(), unknown: unknown.collect(), escapes: solver.escapes, names }
}

struct Solver<'c, 'a> {
    code: &'c ModuleUses<'a>,
    /// By frame and name.
    roles: HashMap<(usize, &'a str), NameRole>,
    /// By place.
    uses: BTreeMap<(u32, u32), (&'static str, Option<String>)>,
    /// Members that no context has, by place.
    unknown: BTreeMap<(u32, u32), &'a str>,
    escapes: bool,
}

impl<'a> Solver<'_, 'a> {
    /// Assigns the initial roles; returns the names of the context.
    fn enter(&mut self, root: &Root, entry: Option<&EntryFunction>) -> BTreeSet<String> {
        let frame = entry.and_then(|entry| self.frame_of(entry));
        let mut names: BTreeMap<String, NameRole> =
            root.names.iter().map(|name| (name.clone(), NameRole::Context)).collect();
        if root.export.is_some() && frame.is_none() {
            self.escapes = true;
            names.insert("context".to_owned(), NameRole::Context);
        }
        if let Some(frame) = frame {
            let code = self.code;
            if let Some(first) = code.frames.get(frame).and_then(|frame| frame.params.first()) {
                self.bind(frame, first, NameRole::Call);
            }
            let given = self.roles.iter().filter(|(_, role)| is_context(**role));
            names.extend(given.map(|((_, name), role)| ((*name).to_owned(), *role)));
        }
        self.enter_by_name(frame, &names);
        names.into_keys().collect()
    }

    fn frame_of(&self, entry: &EntryFunction) -> Option<usize> {
        match entry {
            EntryFunction::Named(name) => self.function(0, name),
            EntryFunction::At(start) => self.code.functions.get(start).copied(),
        }
    }

    /// The function that a name is bound to, as seen from a frame.
    fn function(&self, frame: usize, name: &str) -> Option<usize> {
        let mut at = self.home(frame, name)?;
        let mut bound = *self.code.frames.get(at)?.names.get(name)?;
        for _ in 0..ROUNDS {
            match bound {
                Bound::Something => return None,
                Bound::Function(start) => return self.code.functions.get(&start).copied(),
                Bound::Same(name) => {
                    at = self.home(at, name)?;
                    bound = *self.code.frames.get(at)?.names.get(name)?;
                }
            }
        }
        None
    }

    /// A parameter with the name of the context counts as the context.
    fn enter_by_name(&mut self, root: Option<usize>, names: &BTreeMap<String, NameRole>) {
        let code = self.code;
        for (index, frame) in code.frames.iter().enumerate() {
            if Some(index) == root {
                continue;
            }
            for param in &frame.params {
                self.bind_by_name(index, param, names);
            }
        }
    }

    fn bind_by_name(
        &mut self,
        frame: usize,
        param: &PatternShape<'a>,
        names: &BTreeMap<String, NameRole>,
    ) {
        match param {
            PatternShape::Name(name) => {
                if let Some(role) = names.get(*name) {
                    self.roles.insert((frame, name), *role);
                }
            }
            PatternShape::Object(entries) if names.contains_key("context") => {
                for entry in entries {
                    if let Property::Key { name: "context", value, .. } = entry {
                        self.bind(frame, value, NameRole::Context);
                    }
                }
            }
            PatternShape::Object(_) | PatternShape::Other => {}
        }
    }

    /// Binds a pattern to a value of that role, in the frame where its names are.
    fn bind(&mut self, frame: usize, shape: &PatternShape<'a>, role: NameRole) {
        match shape {
            PatternShape::Name(name) => {
                let frame = self.home(frame, name).unwrap_or(frame);
                self.roles.entry((frame, name)).or_insert(role);
            }
            PatternShape::Object(entries) if is_context(role) => {
                entries.iter().for_each(|entry| self.bind_entry(frame, entry, role));
            }
            PatternShape::Object(_) => {}
            PatternShape::Other => self.escapes |= is_context(role),
        }
    }

    fn bind_entry(&mut self, frame: usize, entry: &Property<'a>, role: NameRole) {
        match entry {
            Property::Key { name, place, value } => match member(role, name) {
                Some(NameRole::Capability(capability)) => {
                    let place = (place.start, place.end);
                    self.uses.entry(place).or_insert((capability, None));
                    self.bind(frame, value, NameRole::Capability(capability));
                }
                Some(role) => self.bind(frame, value, role),
                None => self.note_unknown(*place, name),
            },
            Property::Rest(shape) => self.bind(frame, shape, role),
            Property::Computed => self.escapes = true,
        }
    }

    /// The frame that binds a name, as seen from another.
    fn home(&self, frame: usize, name: &str) -> Option<usize> {
        let mut at = Some(frame);
        while let Some(index) = at {
            let frame = self.code.frames.get(index)?;
            if frame.names.contains_key(name) {
                return Some(index);
            }
            at = frame.parent;
        }
        None
    }

    fn role(&self, frame: usize, name: &'a str) -> Option<NameRole> {
        self.roles.get(&(self.home(frame, name)?, name)).copied()
    }

    /// The role of a whole chain.
    fn role_of(&self, frame: usize, chain: &Chain<'a>) -> Option<NameRole> {
        let first = self.role(frame, chain.name)?;
        chain.keys.iter().try_fold(first, |role, key| member(role, key.name?))
    }

    /// Hands roles on: to aliases, patterns and parameters.
    fn spread(&mut self, event: &NameUse<'a>) {
        let Some(role) = self.role_of(event.frame, &event.chain) else { return };
        match &event.then {
            ValueUse::Bind(shape) => self.bind(event.frame, shape, role),
            ValueUse::Pass { callee, index } => {
                let code = self.code;
                if let Some((frame, param)) = self.param(event.frame, callee, *index, code) {
                    self.bind(frame, param, role);
                }
            }
            ValueUse::Value | ValueUse::Call(_) => {}
        }
    }

    /// The parameter of a function of this module.
    fn param<'c>(
        &self,
        frame: usize,
        callee: &str,
        index: usize,
        code: &'c ModuleUses<'a>,
    ) -> Option<(usize, &'c PatternShape<'a>)> {
        let frame = self.function(frame, callee)?;
        Some((frame, code.frames.get(frame)?.params.get(index)?))
    }

    /// Records the capabilities that an event uses, and whether the context escapes.
    fn note(&mut self, event: &NameUse<'a>) {
        self.escapes |= event.chain.name == "arguments";
        let Some(mut role) = self.role(event.frame, event.chain.name) else { return };
        if let NameRole::Capability(capability) = role {
            return self.note_alias(capability, event);
        }
        for (index, key) in event.chain.keys.iter().enumerate() {
            self.escapes |= key.name.is_none();
            match key.name.and_then(|name| member(role, name)) {
                Some(NameRole::Capability(capability)) => {
                    let place = chain::span(&event.chain, key);
                    return self.note_use(place, capability, event, index + 1);
                }
                Some(next) => role = next,
                None => {
                    let place = chain::span(&event.chain, key);
                    return key.name.map_or((), |name| self.note_unknown(place, name));
                }
            }
        }
        self.escapes |= self.is_lost(event);
    }

    /// Records a member of the context that is neither a capability nor one of its other members.
    fn note_unknown(&mut self, place: Span, name: &'a str) {
        if !unknown_context_member::is_member(name) {
            self.unknown.insert((place.start, place.end), name);
        }
    }

    fn note_use(
        &mut self,
        place: Span,
        capability: &'static str,
        event: &NameUse<'a>,
        next: usize,
    ) {
        let secret = if capability == "secret" { secret(event, next) } else { None };
        self.uses.insert((place.start, place.end), (capability, secret.map(str::to_owned)));
    }

    /// `const { secret } = context; secret.get('NAME')`
    fn note_alias(&mut self, capability: &'static str, event: &NameUse<'a>) {
        if capability == "secret"
            && let Some(key) = event.chain.keys.first()
            && secret(event, 0).is_some()
        {
            self.note_use(chain::span(&event.chain, key), capability, event, 0);
        }
    }

    /// Whether the context is passed to code that is not analysed.
    fn is_lost(&self, event: &NameUse<'a>) -> bool {
        match &event.then {
            ValueUse::Value | ValueUse::Call(_) => true,
            ValueUse::Bind(shape) => matches!(shape, PatternShape::Other),
            ValueUse::Pass { callee, index } => {
                self.param(event.frame, callee, *index, self.code).is_none()
            }
        }
    }
}

fn is_context(role: NameRole) -> bool {
    matches!(role, NameRole::Call | NameRole::Context)
}

/// The role of a member of a value with a role.
fn member(role: NameRole, key: &str) -> Option<NameRole> {
    match role {
        NameRole::Call if key == "context" => Some(NameRole::Context),
        NameRole::Call | NameRole::Context => capability_field(key).map(NameRole::Capability),
        NameRole::Capability(_) => None,
    }
}

/// The name in `....get('NAME')`, where `get` is the key at that index and the last.
fn secret<'a>(event: &NameUse<'a>, index: usize) -> Option<&'a str> {
    let ValueUse::Call(literal) = event.then else { return None };
    let is_get = event.chain.keys.get(index)?.name == Some("get");
    literal.filter(|_| is_get && event.chain.keys.len() == index + 1)
}
