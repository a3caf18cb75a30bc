//! A worker process has nothing of the server but the declared secrets.

use std::collections::BTreeSet;
use std::fs::File;

use serde_json::{Value, json};

use crate::stage::{Language, load, options};

const NODE: &str = r#"
    const fs = await import('node:fs');
    const open = fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync(`/proc/self/fd/${fd}`); } catch { return ''; } });
    return { ok: true, data: { env: Object.keys(process.env), secret: process.env.CARGO_PKG_NAME, cwd: process.cwd(), files: fs.readdirSync('.'), open } };"#;

const PYTHON: &str = r#"
def target(fd):
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return ""
opened = [target(fd) for fd in os.listdir("/proc/self/fd")]
return {"ok": True, "data": {"env": list(os.environ), "secret": os.environ.get("CARGO_PKG_NAME"), "cwd": os.getcwd(), "files": os.listdir("."), "open": opened}}"#;

fn seen(language: Language, capabilities: &[&str]) -> Value {
    let source = language.handler(NODE, PYTHON);
    load(language, &source, capabilities, options()).unwrap().data(json!({}))
}

#[test]
fn a_process_has_only_the_declared_secrets_and_no_file_of_the_server() {
    // A descriptor that is inherited by processes.
    let file = tempfile::NamedTempFile::new().unwrap();
    let inherited = rustix::io::dup(File::open(file.path()).unwrap()).unwrap();
    let usual: BTreeSet<&str> =
        ["PATH", "LANG", "LC_ALL", "TZ", "HOME", "TMPDIR", "LC_CTYPE"].into();
    for language in Language::ALL {
        let world = seen(language, &[]);
        let names: Vec<_> =
            world["env"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        // The command `python3` may be a script that adds variables of its own.
        let of_script =
            |name: &str| name.contains("PYENV_") || ["PWD", "SHLVL", "_"].contains(&name);
        let foreign: Vec<_> =
            names.iter().filter(|name| !usual.contains(**name) && !of_script(name)).collect();
        assert!(foreign.is_empty(), "{language:?} {foreign:?}");
        assert_eq!(world["files"], json!(["tmp"]), "{language:?}");
        assert!(world["cwd"].as_str().unwrap().contains("aileron-"), "{language:?}");
        let path = file.path().to_str().unwrap();
        let open = world["open"].as_array().unwrap();
        assert!(!open.iter().any(|target| target == path), "{language:?} {open:?}");
        let world = seen(language, &["secret:CARGO_PKG_NAME"]);
        assert_eq!(world["secret"], "aileron-workers", "{language:?}");
    }
    drop(inherited);
}

/// Data beyond JSON in a request fails the request.
#[test]
fn strange_data_in_a_request_harms_nothing() {
    let node = r#"
        let deep = []; for (let n = 0; n < 500; n += 1) deep = [deep];
        const ask = async (query) => { try { return (await context.kb.search({ query, namespace: 'studio', topK: 3 })).length; } catch (error) { return error.code ?? error.name; } };
        return { ok: true, data: [await ask('a\ud83d'), await ask(deep), await ask(10n), await ask('x'.repeat(8_000_000)), await ask('plan'), '\udc00'] };"#;
    let python = r#"
deep = []
for _ in range(500):
    deep = [deep]
found = []
for query in ("a\ud83d", deep, 10 ** 400, "x" * 8_000_000, "plan"):
    try:
        found.append(len(AWAIT context.kb.search(query=query, namespace="studio", topK=3)))
    except Exception as error:
        found.append(getattr(error, "code", type(error).__name__))
return {"ok": True, "data": [*found, "\udc00"]}"#;
    for language in Language::ALL {
        let source = language.handler(node, python);
        let stage = load(language, &source, &["kb"], options()).unwrap();
        let third = if language == Language::Node { "TypeError" } else { "REFUSED" };
        let expected = json!([0, "REFUSED", third, "REFUSED", 1, "\u{fffd}"]);
        assert_eq!(stage.data(json!({})), expected, "{language:?}");
    }
}

/// More requests than a call may have open are refused; the call goes on.
#[test]
fn requests_are_limited() {
    let source = r#"export async function execute({ context }) {
        const all = Array.from({ length: 5000 }, () => context.kb.search({ query: 'plan', namespace: 'studio', topK: 3 }));
        const ends = await Promise.allSettled(all);
        return { ok: true, data: ends.length };
    }"#;
    let stage = load(Language::Node, source, &["kb"], options()).unwrap();
    assert_eq!(stage.data(json!({})), json!(5000));
}
