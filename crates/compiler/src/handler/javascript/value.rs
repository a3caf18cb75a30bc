//! Classifies an expression's value without running it.

use oxc_ast::ast::*;

use super::module::Value;

/// The value of a function.
pub(super) fn of_function(it: &Function<'_>) -> Value {
    if it.generator { Value::Other("a generator") } else { Value::Function }
}

/// The value of an expression.
pub(super) fn of(expression: &Expression<'_>) -> Value {
    match expression {
        Expression::ParenthesizedExpression(it) => of(&it.expression),
        Expression::ArrowFunctionExpression(_) => Value::Function,
        Expression::FunctionExpression(it) => of_function(it),
        Expression::Identifier(it) => Value::Alias(it.name.to_string()),
        _ => described(expression).map_or(Value::Unknown, Value::Other),
    }
}

/// The description of a value that is certainly no function.
fn described(expression: &Expression<'_>) -> Option<&'static str> {
    Some(match expression {
        Expression::BooleanLiteral(_) => "a boolean",
        Expression::NullLiteral(_) => "`null`",
        Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) => "a number",
        Expression::RegExpLiteral(_) => "a regular expression",
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => "a string",
        Expression::ArrayExpression(_) => "an array",
        Expression::ObjectExpression(_) => "an object",
        Expression::ClassExpression(_) => "a class",
        _ => return None,
    })
}

/// A variable that may be reassigned has an unknown value, unless it is a function.
pub(super) fn of_variable(kind: VariableDeclarationKind, init: Option<&Expression<'_>>) -> Value {
    let value = init.map_or(Value::Unknown, of);
    match value {
        Value::Other(_) if !kind.is_const() => Value::Unknown,
        value => value,
    }
}
