//! The input of a handler, and the requests that the host receives.

use serde_json::{Value, json};

use crate::sandbox::{Bench, call, load, load_modules, over_both, plain_call};
use crate::world::{NOW, World};
use std::sync::Arc;

over_both!(
    both_spellings_work,
    context_data_is_there,
    a_capability_answers,
    capabilities_run_side_by_side,
    a_sync_capability_answers_at_once,
    a_fault_of_a_capability_has_a_code,
    what_is_not_declared_is_absent,
    the_clock_is_the_hosts,
    dice_are_thrown,
    the_console_progress_and_partial_data_reach_the_host,
    the_signal_is_quiet,
    relative_modules_are_imported,
    a_module_is_imported_on_demand,
    aileron_exports_its_words,
    ordinary_javascript_works,
);

fn both_spellings_work(bench: &Bench) {
    let engine = bench.engine();
    let world = Arc::new(World::default());
    for source in [
        "export const execute = ({ args, context }) => [args.a, context.mode, context.args.a];",
        "export const execute = (context) => [context.args.a, context.mode, context.context.args.a];",
        "export async function execute({ args: { a }, mode }) { return [a, mode, a]; }",
    ] {
        let script = load(&engine, source).unwrap();
        let outcome = call(&engine, &script, with_args(&world, json!({ "a": 1 })));
        assert_eq!(outcome, Ok(json!([1, "text", 1])), "{source}");
    }
}

fn with_args(world: &Arc<World>, args: Value) -> aileron_sandbox::SandboxCall {
    aileron_sandbox::SandboxCall { args, ..plain_call(world) }
}

fn context_data_is_there(bench: &Bench) {
    let outcome = bench.run("return [context.mode, context.session.isActive, context.deadline];");
    assert_eq!(outcome, Ok(json!(["text", true, NOW + 1000])));
}

fn a_capability_answers(bench: &Bench) {
    let (outcome, seen) = bench.observe(
        json!({ "q": "x" }),
        "const [first] = await context.kb.echo({ q: args.q }, 2); return first;",
    );
    assert_eq!(outcome, Ok(json!({ "q": "x" })));
    assert_eq!(seen, [r#"kb.echo([{"q":"x"},2])"#]);
}

fn capabilities_run_side_by_side(bench: &Bench) {
    let body = "const all = await Promise.all([context.kb.later(), context.kb.echo(1), context.kb.later()]);
                return all;";
    let (outcome, seen) = bench.observe(json!({}), body);
    assert_eq!(outcome, Ok(json!(["later", [1], "later"])));
    assert_eq!(seen, ["kb.later([])", "kb.echo([1])", "kb.later([])"]);
}

fn a_sync_capability_answers_at_once(bench: &Bench) {
    let (outcome, seen) =
        bench.observe(json!({}), "return [context.voice.isActive(), context.kb.size(1, 2, 3)];");
    assert_eq!(outcome, Ok(json!([true, 3])));
    assert_eq!(seen, ["voice.isActive([])", "kb.size([1,2,3])"]);
}

fn a_fault_of_a_capability_has_a_code(bench: &Bench) {
    let body = "const seen = [];
        try { await context.kb.fail(); } catch (e) { seen.push(e.code, e.message, e instanceof Error); }
        try { context.kb.refuse(); } catch (e) { seen.push(e.code, e.message, e instanceof Error); }
        return seen;";
    assert_eq!(bench.run(body), Ok(json!(["UNAVAILABLE", "no", true, "REFUSED", "no", true])));
}

fn what_is_not_declared_is_absent(bench: &Bench) {
    let body =
        "return [typeof context.calendar, typeof context.kb.remove, typeof context.voice.echo];";
    assert_eq!(bench.run(body), Ok(json!(["undefined", "undefined", "undefined"])));
}

fn the_clock_is_the_hosts(bench: &Bench) {
    let body = "return [context.now(), Date.now(), new Date().getTime(), new Date(5).getTime(),
        new Date(0).toISOString(), Date.UTC(1970, 0, 2), Date() === String(new Date()),
        new Date() instanceof Date, new Date(0).constructor === Date];";
    let expected =
        json!([NOW, NOW, NOW, 5, "1970-01-01T00:00:00.000Z", 86_400_000, true, true, true]);
    assert_eq!(bench.run(body), Ok(expected));
}

fn dice_are_thrown(bench: &Bench) {
    let body = "const all = Array.from({ length: 100 }, () => Math.random());
        return [new Set(all).size, all.every((n) => n >= 0 && n < 1)];";
    assert_eq!(bench.run(body), Ok(json!([100, true])));
}

fn the_console_progress_and_partial_data_reach_the_host(bench: &Bench) {
    let body = "console.log('a', 1, { b: [2] }, null, undefined, Symbol('s'), 10n);
        console.warn('lone \\ud800'); console.error(); console.debug(() => 1); console.info({ toJSON() { throw 1; } });
        context.progress({ done: 1 }); context.partial({ rows: [1, 2] }); context.partial();
        return 0;";
    let (_, seen) = bench.observe(json!({}), body);
    let expected = [
        "Log: a 1 {\"b\":[2]} null undefined Symbol(s) 10",
        "Warn: lone \u{fffd}",
        "Error: ",
        "Debug: ",
        "Info: [unprintable]",
        "progress {\"done\":1}",
        "partial {\"rows\":[1,2]}",
        "partial null",
    ];
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    for (line, start) in seen.iter().zip(expected) {
        assert!(line.starts_with(start), "{line}");
    }
}

fn the_signal_is_quiet(bench: &Bench) {
    let body =
        "context.signal.addEventListener('abort', () => {}); context.signal.throwIfAborted();
        return context.signal.aborted;";
    assert_eq!(bench.run(body), Ok(json!(false)));
}

fn relative_modules_are_imported(bench: &Bench) {
    let engine = bench.engine();
    let modules = [
        (
            "tool/handler.js",
            "import { two } from './deep/two.js'; import '../_lib/side.js';
            export const execute = () => two() + (globalThis.side ?? 0);",
        ),
        (
            "tool/deep/two.js",
            "import { one } from '../../_lib/one.js'; export const two = () => one + one;",
        ),
        ("_lib/one.js", "export const one = 1;"),
        ("_lib/side.js", "globalThis.side = 40;"),
    ];
    let script = load_modules(&engine, &modules).unwrap();
    let world = Arc::new(World::default());
    assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(42)));
}

fn a_module_is_imported_on_demand(bench: &Bench) {
    let engine = bench.engine();
    let modules = [
        ("tool/handler.js", "export const execute = async () => (await import('./late.js')).late;"),
        ("tool/late.js", "import { one } from './one.js'; export const late = one + 1;"),
        ("tool/one.js", "export const one = 1;"),
    ];
    let script = load_modules(&engine, &modules).unwrap();
    let world = Arc::new(World::default());
    assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(2)));
}

fn aileron_exports_its_words(bench: &Bench) {
    let body = "const e = new ToolError(ErrorType.CONFLICT, 'm', { retryable: true });
        return [ErrorType.TRANSIENT, IntentType.BLOCK_USER, Object.isFrozen(ErrorType), e.name, e.type, e.message,
            e.retryable, e instanceof Error];";
    let expected =
        json!(["TRANSIENT", "BLOCK_USER", true, "ToolError", "CONFLICT", "m", true, true]);
    assert_eq!(bench.run(body), Ok(expected));
}

fn ordinary_javascript_works(bench: &Bench) {
    let body = r#"
        class A { #p = 1; get p() { return this.#p; } static s = 2; }
        const { a = 3, ...rest } = { b: 4, c: 5 };
        const words = 'one two  two'.split(' ').filter(Boolean);
        return [new A().p, A.s, a, rest, [...new Set(words)], words.indexOf('two'), 'a-b-c'.replaceAll('-', '+'),
            [3, 1, 2].sort(), [1, [2, [3]]].flat(Infinity), [1, 2].concat([3], 4), [1, 2, 3].slice(1).join(),
            /(?<y>\d{4})/u.exec('in 2026').groups.y, 2n ** 64n > 1n, Object.groupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even'),
            `${[1, 2]}`, [1, 2, 3].toLocaleString(), JSON.parse('{"a":1}').a, 'ab'.includes('b'), [5, 6].at(-1)];"#;
    let expected = json!([
        1, 2, 3, { "b": 4, "c": 5 }, ["one", "two"], 1, "a+b+c", [1, 2, 3], [1, 2, 3], [1, 2, 3, 4], "2,3",
        "2026", true, { "odd": [1, 3], "even": [2] }, "1,2", "1,2,3", 1, true, 6
    ]);
    assert_eq!(bench.run(body), Ok(expected));
}
