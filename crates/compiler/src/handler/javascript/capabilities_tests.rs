//! Capabilities, used and declared.

use crate::handler::case::compile;

/// The findings of a handler with these capabilities.
fn codes(capabilities: &str, handler: &str) -> Vec<String> {
    let schema = format!("{{\"capabilities\": {capabilities}}}");
    compile(&[("t/schema.json", &schema), ("t/handler.js", handler)]).codes()
}

/// A handler that uses `context.kb` at a place, and nothing else.
fn uses_kb(handler: &str, place: &str) {
    assert_eq!(codes("[]", handler), [format!("H010 t/handler.js:{place}")], "{handler}");
    assert_eq!(codes("[\"kb\"]", handler), [""; 0], "{handler}");
}

/// A handler that uses nothing, and whose context is followed everywhere.
fn uses_nothing(handler: &str) {
    assert_eq!(codes("[]", handler), [""; 0], "{handler}");
    assert_eq!(codes("[\"kb\"]", handler), ["H014 t/schema.json:1:19"], "{handler}");
}

#[test]
fn both_spellings_of_the_argument_are_understood() {
    uses_kb(
        "export function execute({ args, context }) { return context.kb.search(args); }",
        "1:53",
    );
    uses_kb("export function execute(context) { return context.kb.search(context.args); }", "1:43");
    uses_kb("export function execute(call) { return call.context.kb; }", "1:40");
    uses_kb("export function execute({ kb }) { return kb.search(); }", "1:27");
    uses_kb("export const execute = async ({ context: c }) => c.kb.search();", "1:50");
    uses_kb("export const execute = function (c) { return c.kb; };", "1:46");
    uses_kb("const run = (c) => c.kb;\nexport { run as execute };", "1:20");
    uses_kb(
        "export const execute = wrap(({ context }) => context.kb);\nconst wrap = (f) => f;",
        "1:46",
    );
}

#[test]
fn patterns_are_followed() {
    uses_kb("export function execute({ args, context: { kb } }) { return kb; }", "1:44");
    uses_kb(
        "export function execute({ args, context: { kb: base = null } = {} }) { return base; }",
        "1:44",
    );
    uses_kb("export function execute({ context }) { const { kb } = context; return kb; }", "1:48");
    uses_kb(
        "export function execute({ context }) { let kb; ({ kb } = context); return kb; }",
        "1:51",
    );
    uses_kb("export function execute({ args, ...rest }) { return rest.context.kb; }", "1:53");
    uses_kb(
        "export function execute({ context: { audit: a, ...rest } = {} }) { return rest.kb; }\n"
            .replace("audit: a, ", "")
            .as_str(),
        "1:65",
    );
    uses_kb("export function execute({ context } = {}) { return context.kb; }", "1:52");
    uses_kb(
        "export function execute(c) { const { context: { 'kb': base } } = c; return base; }",
        "1:49",
    );
}

#[test]
fn every_kind_of_access_is_understood() {
    uses_kb("export function execute({ context }) { return context['kb']; }", "1:47");
    uses_kb("export function execute({ context }) { return context[`kb`]; }", "1:47");
    uses_kb("export function execute({ context }) { return context?.kb?.search(); }", "1:47");
    uses_kb("export function execute({ context }) { return (context).kb; }", "1:48");
    uses_kb("export function execute({ context }) { return (context?.kb).search(); }", "1:48");
    uses_kb("export function execute({ context }) { return [1].map(() => context.kb); }", "1:61");
    uses_kb("export function execute({ context }) { return `${context.kb.name}`; }", "1:50");
    uses_kb("export function execute({ context }) { return context.kb[context.args]; }", "1:47");
}

#[test]
fn aliases_are_followed() {
    uses_kb("export function execute({ context }) { const c = context; return c.kb; }", "1:66");
    uses_kb(
        "export function execute({ context }) { let a = context, b = a; return b.kb; }",
        "1:71",
    );
    uses_kb(
        "export function execute({ context }) { const kb = context.kb; return kb.search(); }",
        "1:51",
    );
    uses_kb(
        "export function execute(call) { const { context } = call; return context.kb; }",
        "1:66",
    );
}

#[test]
fn functions_of_the_module_are_followed() {
    uses_kb(
        "const find = (c, q) => c.kb.search(q);\nexport function execute({ args, context }) { return find(context, args); }",
        "1:24",
    );
    uses_kb(
        "export function execute({ context }) { return find(1, context); }\nfunction find(q, { kb }) { return kb; }",
        "2:20",
    );
    uses_kb(
        "export function execute({ context }) { return one(context); }\nfunction one(a) { return two(a); }\nfunction two(b) { return b.kb; }",
        "3:26",
    );
    uses_kb(
        "class Finder { find(context) { return context.kb; } }\nexport function execute({ context }) { return new Finder().find(context); }",
        "1:39",
    );
    uses_kb(
        "const find = ({ context, q }) => context.kb.search(q);\nexport const execute = ({ args, context }) => find({ context, q: args.q });",
        "1:34",
    );
}

#[test]
fn other_objects_are_left_alone() {
    uses_nothing("export function execute({ args }) { return args.kb; }");
    uses_nothing("const context = { kb: 1 };\nexport function execute() { return context.kb; }");
    uses_nothing(
        "export function execute({ args, context }) { const other = { kb: 1 }; return other.kb + context.mode; }",
    );
    uses_nothing(
        "export function execute({ context }) { return draw({ images: 1 }) + context.session.kb; }\nfunction draw(canvas) { return canvas.images; }",
    );
    uses_nothing(
        "export function execute({ context }) { return [{ kb: 1 }].map((context2) => context2.kb); }",
    );
    uses_nothing(
        "function other(item) { const context = item; return context.kb; }\nexport function execute({ context }) { return other(1) + context.user.id; }",
    );
    uses_nothing(
        "import * as kb from './handler.js';\nexport function execute({ context }) { return kb.search + context.mode; }",
    );
    uses_nothing("export function execute() { return this.context; }");
}

#[test]
fn what_goes_out_of_sight_is_not_called_unused() {
    for handler in [
        "export function execute({ context }) { return Object.keys(context); }",
        "export function execute({ context }) { return { ...context }; }",
        "export function execute({ context }) { const [a] = context; }",
        "export function execute({ context, args }) { return context[args.name]; }",
        "export function execute({ context }) { this.context = context; }",
        "export function execute({ context: { [name]: x } }) { return x; }",
        "export function execute() { return arguments[0]; }",
        "export function execute({ context }) { return () => context; }",
        "export function execute({ context }) { return new Finder(context); }",
        "export const execute = make();\nfunction make() { return () => {}; }",
    ] {
        assert_eq!(codes("[\"kb\", \"audit\"]", handler), [""; 0], "{handler}");
    }
}

#[test]
fn messages_say_what_to_declare() {
    let schema = "{\n  \"capabilities\": [\"audit\",\n    \"kb\"]\n}";
    let handler = "export function execute({ context }) {\n  context.voice.say('x');\n  return context.kb;\n}";
    let outcome = compile(&[("t/schema.json", schema), ("t/handler.js", handler)]);
    assert_eq!(
        outcome.lines(),
        [
            "H010 t/handler.js:2:3: handler uses `context.voice`, expected `voice` among the declared capabilities | add \"voice\" to `capabilities` in `schema.json`",
            "H014 t/schema.json:2:20: capability `audit` is declared, the handler does not use it | remove it from `capabilities`",
        ]
    );
    assert!(outcome.handler.is_none());
}

#[test]
fn an_unused_capability_does_not_fail_the_build() {
    let outcome = compile(&[
        ("t/schema.json", "{\"capabilities\": [\"kb\"]}"),
        ("t/handler.js", "export function execute() {}"),
    ]);
    assert_eq!(outcome.codes(), ["H014 t/schema.json:1:19"]);
    assert!(outcome.handler.is_some());
}

#[test]
fn hosts_are_declared_by_name() {
    let handler =
        "export function execute({ context }) { return context.http.get('https://a.example/'); }";
    assert_eq!(codes("[]", handler), ["H010 t/handler.js:1:47"]);
    assert_eq!(codes("[\"http\"]", handler).len(), 2);
    assert_eq!(codes("[\"http:a.example\", \"http:b.example\"]", handler), [""; 0]);
}

#[test]
fn secrets_are_declared_by_name() {
    let literal = "export function execute({ context }) { return context.secret.get('KEY'); }";
    assert_eq!(codes("[]", literal), ["H010 t/handler.js:1:47"]);
    assert_eq!(codes("[\"secret:KEY\"]", literal), [""; 0]);
    assert_eq!(
        codes("[\"secret:OTHER\"]", literal),
        ["H010 t/handler.js:1:47", "H014 t/schema.json:1:19"]
    );
    let alias = "export function execute({ context: { secret } }) { return secret.get('KEY'); }";
    assert_eq!(codes("[\"secret:KEY\"]", alias), [""; 0]);
    assert_eq!(codes("[\"secret:OTHER\"]", alias), ["H010 t/handler.js:1:59"]);
    let computed =
        "export function execute({ args, context }) { return context.secret.get(args.name); }";
    assert_eq!(codes("[\"secret:KEY\", \"secret:OTHER\"]", computed), [""; 0]);
    assert_eq!(codes("[\"kb\"]", computed), ["H010 t/handler.js:1:53", "H014 t/schema.json:1:19"]);
}

#[test]
fn modules_of_the_tool_itself_are_looked_at() {
    let check = |path: &str, expected: &[&str]| {
        let handler = format!(
            "import {{ find }} from '{path}';\nexport const execute = ({{ context }}) => find(context);"
        );
        let module = "export const find = (context) => context.kb;";
        let outcome = compile(&[
            ("t/schema.json", "{}"),
            ("t/handler.js", &handler),
            ("t/find.js", module),
            ("_lib/find.js", module),
        ]);
        assert_eq!(outcome.codes(), expected);
    };
    check("./find.js", &["H010 t/find.js:1:34"]);
    check("../_lib/find.js", &[]);
}

#[test]
fn execute_is_followed_to_the_module_that_has_it() {
    for (handler, module, place) in [
        ("export { run as execute } from './run.js';", "export const run = (c) => c.kb;", "1:27"),
        ("export { default as execute } from './run.js';", "export default (c) => c.kb;", "1:23"),
        ("export * from './run.js';", "export function execute(c) { return c.kb; }", "1:37"),
        (
            "import { run } from './run.js';\nexport { run as execute };",
            "export const run = (c) => c.kb;",
            "1:27",
        ),
    ] {
        let files = [("t/schema.json", "{}"), ("t/handler.js", handler), ("t/run.js", module)];
        assert_eq!(compile(&files).codes(), [format!("H010 t/run.js:{place}")], "{handler}");
    }
}

#[test]
fn places_in_typescript_are_those_of_the_source() {
    let handler = "type A = 'ä€😀';\nexport const execute = ({ context }: { context: 'ä€😀' }) => (context as any).kb;";
    let outcome = compile(&[("t/schema.json", "{}"), ("t/handler.ts", handler)]);
    assert_eq!(outcome.codes(), ["H010 t/handler.ts:2:62"]);
    let finding = &outcome.found[0];
    assert_eq!(&handler[finding.span.clone().unwrap_or_default()], "context as any).kb");
}

#[test]
fn a_schema_that_is_missing_or_garbage_is_for_others_to_report() {
    let handler = "export function execute({ context }) { return context.kb; }";
    assert_eq!(compile(&[("t/handler.js", handler)]).codes(), [""; 0]);
    for schema in ["[]", "{\"capabilities\": \"kb\"}", "null", "{\"capabilities\": {}}"] {
        let outcome = compile(&[("t/schema.json", schema), ("t/handler.js", handler)]);
        assert_eq!(outcome.codes(), [""; 0], "{schema}");
    }
    assert_eq!(codes("[1, null, \"kb\", [\"audit\"]]", handler), [""; 0]);
    assert_eq!(codes("[\"unknown\", \"kb\"]", handler), [""; 0]);
}
