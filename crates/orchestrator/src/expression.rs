//! Conditions in CEL: `availability.condition` and `confirmation.when`.
//!
//! Parsed once, when a registry is loaded; evaluated per call. The `cel` crate limits nesting while
//! it parses and nothing while it evaluates, so the variables are measured, and the cost is bounded
//! before the evaluation. Every fault is an error, and the caller refuses the call.

mod cost;
mod error;
mod limits;
mod tree;
mod values;

use std::sync::{Arc, LazyLock};

use aileron_contract::Mode;
use cel::common::ast::{Expr, LiteralValue};
use cel::parser::Parser;
use cel::{Context, Env, IdedExpr, Value as Cel};
use serde_json::Value;

pub use error::ExpressionError;
use limits::{MAX_CHARACTERS, MAX_LEVELS};
use tree::Needs;
use values::Measure;

/// The functions of CEL, built once and shared by all evaluations.
static LIBRARY: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// The variables of a condition. A variable that is not set here is unknown to it.
#[derive(Debug, Clone, Copy)]
pub struct Variables<'a> {
    pub mode: Mode,
    pub user: &'a Value,
    pub conversation: Option<&'a Value>,
    pub args: Option<&'a Value>,
}

/// A parsed condition.
#[derive(Debug)]
pub struct Expression(ExpressionForm);

#[derive(Debug)]
enum ExpressionForm {
    /// `true` or `false`, which need no evaluation.
    Constant(bool),
    Computed(Box<ComputedExpression>),
}

#[derive(Debug)]
struct ComputedExpression {
    source: String,
    tree: IdedExpr,
    needs: Needs,
}

impl Expression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let found = text.chars().count();
        if found > MAX_CHARACTERS {
            return Err(ExpressionError::TooLong { found });
        }
        let tree = Parser::new().parse(text).map_err(|errors| ExpressionError::syntax(&errors))?;
        if let Expr::Literal(LiteralValue::Boolean(value)) = &tree.expr {
            return Ok(Self(ExpressionForm::Constant(*value.inner())));
        }
        if tree::levels(&tree) > MAX_LEVELS {
            return Err(ExpressionError::TooDeep);
        }
        let needs = Needs::of(&tree)?;
        Ok(Self(ExpressionForm::Computed(Box::new(ComputedExpression {
            source: text.to_owned(),
            tree,
            needs,
        }))))
    }

    /// Whether the condition is true. Any result except `true` or `false` is an error.
    pub fn holds(&self, variables: &Variables<'_>) -> Result<bool, ExpressionError> {
        match &self.0 {
            ExpressionForm::Constant(value) => Ok(*value),
            ExpressionForm::Computed(computed) => computed.holds(variables),
        }
    }
}

impl ComputedExpression {
    fn holds(&self, variables: &Variables<'_>) -> Result<bool, ExpressionError> {
        let mut measure = Measure::default();
        let mut context = Context::with_env(Arc::clone(&LIBRARY));
        for (name, value) in self.given(variables, &mut measure)? {
            context.add_variable_from_value(name, value);
        }
        cost::check(&self.tree, &measure)?;
        match Cel::resolve(&self.tree, &context) {
            Ok(Cel::Bool(value)) => Ok(value),
            Ok(other) => Err(ExpressionError::NotBoolean { found: other.type_of().to_string() }),
            Err(error) => Err(ExpressionError::failed(&self.source, &error)),
        }
    }

    /// The variables that the condition uses; of the arguments only those it names.
    fn given(
        &self,
        variables: &Variables<'_>,
        measure: &mut Measure,
    ) -> Result<Vec<(&'static str, Cel)>, ExpressionError> {
        let mut given = vec![("mode", Cel::from(variables.mode.as_str()))];
        let others = [("user", Some(variables.user)), ("conversation", variables.conversation)];
        for (name, value) in others {
            if let Some(value) = value.filter(|_| self.needs.has_variable(name)) {
                given.push((name, measure.convert(value)?));
            }
        }
        if let Some(args) = variables.args {
            let value = match args.as_object().zip(self.needs.named_arguments()) {
                Some((all, names)) => measure.convert_named(all, names)?,
                None => measure.convert(args)?,
            };
            given.push(("args", value));
        }
        Ok(given)
    }
}

#[cfg(test)]
#[path = "expression_tests.rs"]
mod tests;
