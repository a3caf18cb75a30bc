//! At a terminal: asked, answered y or n, and stopped with Ctrl-C.

#![cfg(target_os = "linux")]

use super::demo;
use crate::workspace::Workspace;

/// Runs `chat` at a terminal where somebody types this; nothing where there is no `script`.
fn at_a_terminal(workspace: &Workspace, typed: &str) -> Option<(Option<i32>, String)> {
    let command = format!("{} chat --memory --provider offline", env!("CARGO_BIN_EXE_aileron"));
    let line = format!("printf '{typed}' | script -qec '{command}' /dev/null");
    let output = std::process::Command::new("sh")
        .args(["-c", &line])
        .current_dir(workspace.path("."))
        .output();
    let output = output.unwrap();
    if output.status.code() == Some(127) {
        println!("skipped: there is no `script`");
        return None;
    }
    Some((output.status.code(), String::from_utf8_lossy(&output.stdout).replace('\r', "")))
}

#[test]
fn lines_are_asked_for_until_the_end() {
    let Some((code, shown)) = at_a_terminal(&demo(), "Who runs the lighting review?\\n\\004")
    else {
        return;
    };
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("> ") && shown.contains("Mira Holt"), "{shown}");
}
