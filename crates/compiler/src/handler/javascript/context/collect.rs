//! Collects the functions of a tree, their bindings, and every use of a name.

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use super::chain::{Chain, ChainParts, ChainRoot};
use super::shape::PatternShape;
use crate::handler::javascript::survey::literal;

/// The parts of a module through which the context can flow.
#[derive(Debug)]
pub(super) struct ModuleUses<'a> {
    /// The module itself, then every function in order.
    pub(super) frames: Vec<FunctionScope<'a>>,
    pub(super) events: Vec<NameUse<'a>>,
    /// Frames by where their function begins.
    pub(super) functions: HashMap<u32, usize>,
}

/// A function, or the module itself.
#[derive(Debug, Default)]
pub(super) struct FunctionScope<'a> {
    pub(super) parent: Option<usize>,
    pub(super) params: Vec<PatternShape<'a>>,
    pub(super) names: HashMap<&'a str, Bound<'a>>,
}

/// The binding of a name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Bound<'a> {
    #[default]
    Something,
    /// The function that begins there, directly or wrapped in a call.
    Function(u32),
    /// The same as another name, as it is or wrapped by a function.
    Same(&'a str),
}

/// A use of a name.
#[derive(Debug)]
pub(super) struct NameUse<'a> {
    pub(super) frame: usize,
    pub(super) chain: Chain<'a>,
    pub(super) then: ValueUse<'a>,
}

/// The use of the value.
#[derive(Debug)]
pub(super) enum ValueUse<'a> {
    Value,
    /// It is bound to a pattern.
    Bind(PatternShape<'a>),
    /// It is an argument of a function known by its name.
    Pass {
        callee: &'a str,
        index: usize,
    },
    /// It is called, with a literal as the first argument, if one is.
    Call(Option<&'a str>),
}

pub(super) fn collect<'a>(program: &Program<'a>) -> ModuleUses<'a> {
    let code = ModuleUses {
        frames: vec![FunctionScope::default()],
        events: Vec::new(),
        functions: HashMap::new(),
    };
    let mut collector = Collector { code, frame: 0 };
    collector.visit_program(program);
    collector.code
}

struct Collector<'a> {
    code: ModuleUses<'a>,
    /// Where the visitor is.
    frame: usize,
}

impl<'a> Collector<'a> {
    fn bind(&mut self, name: &'a str, bound: Bound<'a>) {
        if let Some(frame) = self.code.frames.get_mut(self.frame) {
            let before = frame.names.entry(name).or_default();
            if matches!(before, Bound::Something) {
                *before = bound;
            }
        }
    }

    fn event(&mut self, chain: Chain<'a>, then: ValueUse<'a>) {
        self.code.events.push(NameUse { frame: self.frame, chain, then });
    }

    /// Visits a function's inside.
    fn inside(&mut self, start: u32, params: &FormalParameters<'a>, body: impl FnOnce(&mut Self)) {
        let shapes = params.items.iter().map(|param| PatternShape::of(&param.pattern)).collect();
        let outer = self.frame;
        self.frame = self.code.frames.len();
        self.code.functions.insert(start, self.frame);
        self.code.frames.push(FunctionScope {
            parent: Some(outer),
            params: shapes,
            names: HashMap::new(),
        });
        self.visit_formal_parameters(params);
        body(self);
        self.frame = outer;
    }

    /// Records a chain with its use, and visits its parts.
    fn parts(&mut self, parts: ChainParts<'_, 'a>, then: ValueUse<'a>) {
        for key in &parts.computed {
            self.visit_expression(key);
        }
        match parts.bottom {
            ChainRoot::Name(_) => self.event_of(parts, then),
            ChainRoot::Expression(it) => walk::walk_expression(self, it),
            ChainRoot::Call(it) => self.visit_call_expression(it),
        }
    }

    fn event_of(&mut self, parts: ChainParts<'_, 'a>, then: ValueUse<'a>) {
        if let Some(chain) = parts.chain() {
            self.event(chain, then);
        }
    }

    fn argument(&mut self, callee: Option<&'a str>, index: usize, it: &Argument<'a>) {
        let parts = it.as_expression().map(ChainParts::of);
        match (parts, callee) {
            (Some(parts), Some(callee)) if matches!(parts.bottom, ChainRoot::Name(_)) => {
                self.parts(parts, ValueUse::Pass { callee, index });
            }
            _ => self.visit_argument(it),
        }
    }
}

/// The binding of a variable's initial value.
fn bound<'a>(init: &Expression<'a>) -> Bound<'a> {
    match init.without_parentheses() {
        Expression::CallExpression(it) => {
            let arguments = it.arguments.iter().filter_map(Argument::as_expression);
            let known = arguments.map(directly).find(|known| !matches!(known, Bound::Something));
            known.unwrap_or_default()
        }
        init => directly(init),
    }
}

fn directly<'a>(expression: &Expression<'a>) -> Bound<'a> {
    match expression.without_parentheses() {
        Expression::ArrowFunctionExpression(it) => Bound::Function(it.span.start),
        Expression::FunctionExpression(it) => Bound::Function(it.span.start),
        Expression::Identifier(it) => Bound::Same(it.name.as_str()),
        _ => Bound::Something,
    }
}

impl<'a> Visit<'a> for Collector<'a> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.bind(it.name.as_str(), Bound::Something);
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        if let Some(id) = &it.id {
            self.bind(id.name.as_str(), Bound::Function(it.span.start));
        }
        self.inside(it.span.start, &it.params, |inside| {
            if let Some(body) = &it.body {
                inside.visit_function_body(body);
            }
        });
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.inside(it.span.start, &it.params, |inside| {
            inside.visit_arrow_function_body(&it.body);
        });
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        let Some(init) = &it.init else { return };
        if let BindingPattern::BindingIdentifier(id) = &it.id {
            self.bind(id.name.as_str(), bound(init));
        }
        self.parts(ChainParts::of(init), ValueUse::Bind(PatternShape::of(&it.id)));
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let shape = match it.operator {
            AssignmentOperator::Assign => PatternShape::of_target(&it.left),
            _ => PatternShape::Other,
        };
        if !matches!(shape, PatternShape::Name(_)) {
            self.visit_assignment_target(&it.left);
        }
        self.parts(ChainParts::of(&it.right), ValueUse::Bind(shape));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let parts = ChainParts::of(&it.callee);
        let callee = match (&parts.bottom, parts.keys.is_empty()) {
            (ChainRoot::Name(name), true) => Some(name.name.as_str()),
            _ => None,
        };
        let first = it.arguments.first().and_then(Argument::as_expression).and_then(literal);
        self.parts(parts, ValueUse::Call(first));
        for (index, argument) in it.arguments.iter().enumerate() {
            self.argument(callee, index, argument);
        }
    }

    fn visit_member_expression(&mut self, it: &MemberExpression<'a>) {
        self.parts(ChainParts::of_member(it), ValueUse::Value);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let chain = Chain { name: it.name.as_str(), start: it.span.start, keys: Vec::new() };
        self.event(chain, ValueUse::Value);
    }
}
