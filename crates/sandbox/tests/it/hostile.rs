//! Built-ins that walk long texts and lists, in loops and concurrently: the call ends at its limit,
//! the thread returns, and no caller is refused afterwards.

use aileron_capability::foreign::HandlerFault;
use std::sync::Arc;
use std::time::Duration;

use aileron_sandbox::SandboxCall;
use serde_json::{Value, json};

use crate::sandbox::{Bench, call, handler, in_ms, load, over_both, plain_call};
use crate::world::World;

over_both!(
    loops_of_built_ins_end_at_the_limit,
    hostile_arguments_end_at_the_limit,
    normalising_is_linear
);

/// The bodies of loops over a long `text`, `list` and `object`.
const STEPS: [&str; 62] = [
    "text.normalize('NFC')",
    "text.normalize('NFKD')",
    "marks.normalize('NFC')",
    "marks.normalize('NFKD')",
    "marks.localeCompare(text)",
    "text.localeCompare(text + 'x')",
    "text.replaceAll('a', 'b')",
    "text.replaceAll('a', 'bb')",
    "text.replaceAll('', 'b')",
    "text.replaceAll('zz', 'b')",
    "text.replaceAll('a'.repeat(200) + 'b', '')",
    "text.replaceAll(/a/g, 'b')",
    "text.replaceAll(/a/g, () => 'b')",
    "text.replace(/a/g, 'b')",
    "text.replace('zz', 'b')",
    "text.split('a')",
    "text.split('')",
    "text.split(/a/)",
    "text.match(/a/g)",
    "[...text.matchAll(/a/g)]",
    "text.search(/zz/)",
    "/zz/.test(text)",
    "/(a|aa)z/.exec(text)",
    "text.indexOf('zz')",
    "text.indexOf('a'.repeat(200) + 'b')",
    "text.lastIndexOf('a'.repeat(200) + 'b')",
    "text.includes('a'.repeat(200) + 'b')",
    "text.startsWith(text)",
    "text.endsWith(text)",
    "text.toUpperCase()",
    "text.toLocaleLowerCase()",
    "text.padStart(text.length * 2, 'xy')",
    "text.padEnd(text.length * 2, 'xy')",
    "text.repeat(2)",
    "text.concat(text, text)",
    "(text + text).trim()",
    "text.toWellFormed()",
    "text.slice(1) + text",
    "encodeURIComponent(text)",
    "decodeURIComponent(text)",
    "escape(text)",
    "parseFloat(digits)",
    "JSON.stringify(text)",
    "JSON.stringify(list)",
    "JSON.parse(JSON.stringify(list))",
    "JSON.stringify([list, 10n])",
    "list.join()",
    "list.concat(list)",
    "list.slice()",
    "list.toSorted()",
    "list.sort()",
    "list.toReversed()",
    "list.flat()",
    "list.fill(1)",
    "list.with(0, 1)",
    "Array.from(list)",
    "new Set(list)",
    "Object.keys(object)",
    "Object.entries(object)",
    "bytes.toSorted()",
    "text.replaceAll('a', text)",
    "text.replaceAll(/a/g, text)",
];

fn body(step: &str) -> String {
    format!(
        "const text = 'a'.repeat(args.size), marks = '\\u0301\\u0316'.repeat(args.size / 2), digits = '1'.repeat(args.size);
         const list = Array.from({{ length: args.size / 8 }}, (_, i) => i * 7919 % 1000);
         const object = Object.fromEntries(list.slice(0, 2000).map((x) => ['k' + x, x]));
         const bytes = new Uint8Array(args.size);
         for (;;) {{ try {{ {step}; }} catch {{}} }}"
    )
}

/// Short limits and a slow watchdog: only code that polls ends in time.
fn patient(bench: &Bench) -> Bench {
    let mut bench = bench.limited(|limits| {
        limits.cpu = Duration::from_millis(100);
        limits.memory_bytes = 64 << 20;
    });
    bench.options.grace = TIMEOUT;
    bench
}

/// A thread is given up when it used half of this without asking: much more than the limit.
const TIMEOUT: Duration = Duration::from_secs(3);

fn loops_of_built_ins_end_at_the_limit(bench: &Bench) {
    let engine = patient(bench).engine();
    let world = Arc::new(World::default());
    for step in STEPS {
        let script = load(&engine, &handler(&body(step))).unwrap();
        let hostile = SandboxCall {
            args: json!({ "size": 300_000 }),
            deadline: in_ms(300_000),
            ..plain_call(&world)
        };
        assert_eq!(call(&engine, &script, hostile), Err(HandlerFault::CpuDeadline), "{step}");
        assert_eq!(script.quarantine(), None, "{step}");
    }
}

/// Handlers that mean no harm.
const HARMLESS: [&str; 8] = [
    "return args.text.normalize('NFKC').length;",
    "return args.text.localeCompare(args.text + 'x');",
    "return args.list.toSorted((a, b) => a.localeCompare(b)).length;",
    "return args.text.replaceAll('a', args.text).length;",
    "return args.text.split('').map((c) => args.text.lastIndexOf(c)).length;",
    "return args.list.map((word) => args.text.includes(word)).length;",
    "return Object.keys(args.list.reduce((all, word) => ({ ...all, [word]: 1 }), {})).length;",
    "return args.list.reduce((all, word) => [...all, word], []).length;",
];

fn hostile_arguments_end_at_the_limit(bench: &Bench) {
    let engine = patient(bench).engine();
    let world = Arc::new(World::default());
    let texts = ["a".repeat(80_000), "\u{301}\u{316}".repeat(40_000), "\u{fdfa}".repeat(80_000)];
    let lists = [Vec::new(), (0..8000).map(|n| format!("{n}\u{301}\u{316}")).collect::<Vec<_>>()];
    for body in HARMLESS {
        let script = load(&engine, &handler(body)).unwrap();
        for (text, list) in texts.iter().flat_map(|text| lists.iter().map(move |list| (text, list)))
        {
            let args = json!({ "text": text, "list": list });
            let hostile = SandboxCall { args, deadline: in_ms(300_000), ..plain_call(&world) };
            let outcome = call(&engine, &script, hostile);
            let is_fine = matches!(
                outcome,
                Ok(_)
                    | Err(HandlerFault::CpuDeadline
                        | HandlerFault::OutOfMemory
                        | HandlerFault::Error { .. })
            );
            assert!(is_fine, "{body}: {outcome:?}");
            assert_eq!(script.quarantine(), None, "{body}");
            let small = json!({ "text": "a", "list": ["a"] });
            let after = call(&engine, &script, SandboxCall { args: small, ..plain_call(&world) });
            assert!(matches!(after, Ok(Value::Number(_))), "{body}: {after:?}");
        }
    }
}

/// A long text is normalised by the host and a short one by the engine: both say the same.
fn normalising_is_linear(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let body = "const pieces = ['e\\u0301', '\\ufb01 ', 'A\\u030a', '\\ud83d\\ude00', '\\uac00\\u11a8', 'x\\ud800y'];
        const agree = (form) => pieces.every((piece) => piece.repeat(400).normalize(form) === piece.normalize(form).repeat(400));
        const marks = 'a' + '\\u0301\\u0316'.repeat(40_000);
        const thrown = (run) => { try { return run(); } catch (e) { return e.name; } };
        return [
            ['NFC', 'NFD', 'NFKC', 'NFKD', undefined].every(agree),
            marks.normalize('NFD').slice(0, 3) === 'a\\u0316\\u0316', marks.normalize('NFD').length,
            thrown(() => 'x'.normalize('NFX')), thrown(() => String.prototype.normalize.call(null)), 'x'.normalize.call(12),
            ('b' + marks).localeCompare('a' + marks), marks.localeCompare(marks), 'a'.localeCompare('b'), 'e\\u0301'.localeCompare('\\xe9'),
        ];";
    let expected = json!([true, true, 80_001, "RangeError", "TypeError", "12", 1, 0, -1, 0]);
    assert_eq!(bench.run(body), Ok(expected));
}
