//! `aileron simulate`: output, refusals and end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::workspace::Workspace;

/// A running simulator, and its first output.
pub(crate) struct Simulation {
    child: Child,
    screen: Vec<String>,
}

pub(crate) fn start(workspace: &Workspace, args: &[&str]) -> Simulation {
    let mut command = workspace.command();
    command.arg("simulate").args(args).args(["--port", "0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut screen = Vec::new();
    while screen.last().is_none_or(|line| line != "Ctrl-C ends.") {
        screen.push(lines.next().expect("a whole screen").unwrap());
    }
    Simulation { child, screen }
}

impl Simulation {
    /// The text after a word at the beginning of a line.
    pub(crate) fn line(&self, word: &str) -> &str {
        let found = self.screen.iter().find_map(|line| line.strip_prefix(word));
        found.unwrap_or_else(|| panic!("no {word:?} in {:#?}", self.screen)).trim()
    }

    fn press_ctrl_c(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let mut talk = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut talk).unwrap();
        (self.child.wait().unwrap().code(), talk)
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // One that has ended cannot be killed, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_says_where_it_is_and_ends_with_ctrl_c() {
    let workspace = Workspace::new();
    let all = [
        ("gemini-live", "GoogleGenAI"),
        ("openai-realtime", "AsyncOpenAI"),
        ("gemini", "GoogleGenAI"),
        ("openai", "new OpenAI"),
        ("anthropic", "new Anthropic"),
    ];
    for (provider, sdk) in all {
        let simulation = start(&workspace, &[provider, "--log"]);
        let address = simulation.line("plain").split("://").last().unwrap().to_owned();
        assert!(TcpStream::connect(&address).is_ok(), "{address}");
        assert!(simulation.screen.iter().any(|line| line.contains(sdk) && line.contains(&address)));
        let (code, talk) = simulation.press_ctrl_c();
        assert_eq!((code, talk.trim()), (Some(0), "stopping: closing client connections"));
        assert!(TcpStream::connect(&address).is_err());
    }
}

#[test]
fn tls_comes_with_a_certificate_to_trust() {
    let simulation = start(&Workspace::new(), &["gemini-live", "--tls"]);
    let trust = simulation.line("trust").to_owned();
    let path = trust.trim_start_matches("SSL_CERT_FILE=").split(' ').next().unwrap();
    assert!(std::fs::read_to_string(path).unwrap().starts_with("-----BEGIN CERTIFICATE-----"));
    assert!(simulation.line("TLS").starts_with("wss://localhost:"));
    assert_eq!(simulation.press_ctrl_c().0, Some(0));
}

#[test]
fn gemini_live_speaks_in_binary_frames_or_in_text() {
    for (args, opcode) in [(&[][..], 2), (&["--text-frames"], 1)] {
        let simulation = start(&Workspace::new(), &[&["gemini-live"], args].concat());
        let address = simulation.line("plain").split("://").last().unwrap().to_owned();
        let first = first_frame(&address);
        assert_eq!((first & 0x0f, first >> 7), (opcode, 1), "{args:?}");
    }
}

/// Sets a session of Gemini Live up by hand, and returns the first byte of the answer.
fn first_frame(address: &str) -> u8 {
    let mut stream = TcpStream::connect(address).unwrap();
    let path = "/ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent";
    let handshake = format!(
        "GET {path}?key=k HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(handshake.as_bytes()).unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        answer.extend(byte);
    }
    // A short text frame, masked with zeros.
    let setup = br#"{"setup":{"model":"models/m"}}"#;
    let mut frame = vec![0x81, 0x80 | u8::try_from(setup.len()).unwrap(), 0, 0, 0, 0];
    frame.extend(setup);
    stream.write_all(&frame).unwrap();
    let mut first = [0];
    stream.read_exact(&mut first).unwrap();
    first[0]
}

#[test]
fn a_script_and_faults_are_named_on_the_screen() {
    let workspace = Workspace::new();
    workspace.write(
        "talk.md",
        "---\nmode: voice\n---\n```script\nperson says \"Hi\"\nmodel says \"Hello.\"\n```\n",
    );
    let args =
        ["gemini-live", "--script", "talk.md", "--fault", "drop@9,slow=5", "--fault", "rate-limit"];
    let simulation = start(&workspace, &args);
    assert_eq!(simulation.line("model"), "follows talk.md");
    assert_eq!(simulation.line("faults"), "drop@9, slow=5, rate-limit");
    assert_eq!(simulation.press_ctrl_c().0, Some(0));
}

#[test]
fn what_cannot_be_simulated_is_refused_with_a_way_out() {
    let workspace = Workspace::new();
    workspace.write("bad.md", "---\n---\n```script\nmodel sings\n```\n");
    let check = |args: &[&str], words: &[&str]| {
        let run = workspace.run(&[&["simulate"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        for word in words {
            assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
        }
    };
    check(&["gemini-live", "--fault", "dorp@3"], &["did you mean drop@N", "close=CODE@N"]);
    check(&["openai", "--fault", "drop@3"], &["status=CODE", "found \"drop@3\""]);
    check(&["gemini-live", "--script", "none.md"], &["none.md cannot be read"]);
    check(&["gemini-live", "--script", "bad.md"], &["bad.md:4", "says or thinks"]);
    check(&["bing"], &["gemini-live"]);
    check(&["gemini-live", "--tls", "--port", "65535"], &["next port"]);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let workspace = Workspace::new();
    let simulation = start(&workspace, &["gemini-live"]);
    let port = simulation.line("plain").rsplit(':').next().unwrap().to_owned();
    let run = workspace.run(&["simulate", "gemini-live", "--port", &port]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains(&format!("cannot listen at 127.0.0.1:{port}")), "{}", run.stderr);
    simulation.press_ctrl_c();
}
