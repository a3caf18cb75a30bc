//! Output of handlers, however much and wherever.

use aileron_capability::doubles::RecordedEffect;
use serde_json::json;

use crate::stage::{Language, body, options};

const NODE: &str = r#"
    const fs = await import('node:fs');
    if (args.do === 'protocol') {
      process.stdout.write('{"type":"done","id":"0"}\n');
      fs.writeSync(2, '{"type":"hello","protocol":9}\n');
    }
    if (args.do === 'stdout') for (let n = 0; n < 100; n += 1) process.stdout.write('x'.repeat(1 << 20));
    if (args.do === 'console') for (let n = 0; n < 25_000; n += 1) console.log('x'.repeat(4096));
    if (args.do === 'progress') for (let n = 0; n < 1000; n += 1) { context.progress({ text: 'x'.repeat(4096) }); context.partial('x'.repeat(4096)); }
    if (args.do === 'close') { fs.closeSync(1); console.log('nowhere'); }
    return { ok: true, data: process.pid };"#;

const PYTHON: &str = r#"
if args.get("do") == "protocol":
    sys.__stdout__.write('{"type":"done","id":"0"}\n')
    os.write(2, b'{"type":"hello","protocol":9}\n')
if args.get("do") == "stdout":
    for _ in range(100):
        os.write(1, b"x" * (1 << 20))
if args.get("do") == "console":
    for _ in range(25_000):
        print("x" * 4096)
if args.get("do") == "progress":
    for _ in range(1000):
        context.progress({"text": "x" * 4096})
        context.partial("x" * 4096)
if args.get("do") == "close":
    os.close(1)
    print("nowhere")
return {"ok": True, "data": os.getpid()}"#;

/// A hundred megabytes in any way: the call is answered, and its conversation sees a limited part.
#[test]
fn output_is_no_protocol_and_is_limited() {
    for language in Language::ALL {
        let stage = body(language, NODE, PYTHON, options());
        let process = stage.data(json!({}));
        for what in ["protocol", "stdout", "console", "progress", "close"] {
            assert_eq!(stage.data(json!({ "do": what })), process, "{language:?} {what}");
        }
        let length = |effect: RecordedEffect| match effect {
            RecordedEffect::Log { text, .. } => text.len(),
            RecordedEffect::Progress(shown) | RecordedEffect::Partial(shown) => {
                shown.to_string().len()
            }
            RecordedEffect::Message(_) | RecordedEffect::Note { .. } => 0,
        };
        let seen: usize = stage.conversation.seen().into_iter().map(length).sum();
        assert!(seen > 200_000 && seen <= 2 * options().log_bytes, "{language:?} {seen}");
    }
}
