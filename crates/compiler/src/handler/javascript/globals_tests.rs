//! Which names are free, and which of those are reported.

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

use super::*;

fn found(code: &str) -> Vec<String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, code, SourceType::mjs()).parse();
    assert!(parsed.diagnostics.is_empty(), "{code}");
    missing(&parsed.program, GlobalsOf::Sandbox)
        .into_iter()
        .map(|(name, _)| name.to_owned())
        .collect()
}

#[test]
fn a_free_name_that_the_sandbox_lacks_is_found_once() {
    assert_eq!(found("export function execute() { fetch('x'); return fetch('y'); }"), ["fetch"]);
    assert_eq!(
        found("const a = process.env.KEY; new URL('x'); setTimeout(() => Buffer, 1);"),
        ["process", "URL", "setTimeout", "Buffer"]
    );
    assert_eq!(
        found("export const f = ({ x = crypto.randomUUID() }) => ({ x, [Intl]: `${atob('')}` });"),
        ["crypto", "Intl", "atob"]
    );
    assert_eq!(found("globalThis.fetch('x');"), ["fetch"]);
}

#[test]
fn names_that_are_bound_are_not_found() {
    for code in [
        "import { fetch } from './own.js'; fetch();",
        "import URL from './own.js'; new URL();",
        "const { fetch } = context.http; fetch();",
        "export async function execute({ context: { http: { fetch } } }) { fetch(); }",
        "function setTimeout() {} setTimeout();",
        "hoisted(); function hoisted() { return process; } var process = 1;",
        "export function f() { if (true) { var Buffer = 1; } return Buffer; }",
        "class Response {} new Response();",
        "try {} catch (location) { location; }",
        "for (const self of []) self;",
        "const f = function require() { return require; };",
        "const fetch = (url) => url; const g = () => () => fetch('x');",
    ] {
        assert_eq!(found(code), [""; 0], "{code}");
    }
}

#[test]
fn a_name_bound_in_one_function_is_free_in_another() {
    let code = "function a(fetch) { return fetch(); } export function b() { return fetch(); }";
    assert_eq!(found(code), ["fetch"]);
    let block = "export function b() { { const URL = 1; URL; } return new URL('x'); }";
    assert_eq!(found(block), ["URL"]);
}

#[test]
fn members_labels_and_tested_names_are_no_uses() {
    for code in [
        "context.fetch(); ({ process: 1 }).process; context.crypto?.x;",
        "typeof fetch;",
        "if (typeof fetch === 'function') fetch('x');",
        "globalThis.fetch?.('x'); globalThis.crypto;",
        "process: for (;;) break process;",
        "class A { fetch() {} static URL = 1; #self; get location() { return 1; } }",
        "Math.max(1); JSON.parse('1'); console.log(new Map(), queueMicrotask, escape('x'));",
    ] {
        assert_eq!(found(code), [""; 0], "{code}");
    }
}
