//! From the start of `aileron serve` to its first answers, with the shipped tools in an empty
//! folder, compared with the handler in Node. Each start is a separate process without warm-up.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use crate::print;
use crate::process::Child;
use crate::samples::Samples;

/// The number of starts of each.
const STARTS: usize = 30;

const TOOLS: &str = "GET /v1/tools HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

pub(crate) fn run() -> Result<(), String> {
    let provider = Child::ours(&["chat-provider", "0"])?;
    let port = provider.port.to_string();
    let [mut tools, mut answer, mut node] = [(); 3].map(|()| Samples::default());
    for _ in 0..STARTS {
        let began = Instant::now();
        let served = Child::serve()?;
        ask(served.port, TOOLS, "200 OK")?;
        tools.push(began.elapsed());
        ask(served.port, &message(), "[DONE]")?;
        answer.push(began.elapsed());
        drop(served);
        let began = Instant::now();
        let handler = Child::node("chat.mjs", &[&port])?;
        ask(handler.port, &message(), "[DONE]")?;
        node.push(began.elapsed());
    }
    print("| from the start of a process until | median ms | worst ms |");
    print("|---|---|---|");
    for (name, samples) in [
        ("aileron serve: the tools are listed", tools),
        ("aileron serve: the offline agent has answered", answer),
        ("node: the provider in a box has answered", node),
    ] {
        let (median, worst) = (samples.p50_us() / 1000.0, samples.worst_us() / 1000.0);
        print(&format!("| {name} | {median:.1} | {worst:.1} |"));
    }
    Ok(())
}

fn message() -> String {
    let body =
        r#"{"messages":[{"id":"m","role":"user","parts":[{"type":"text","text":"Hello!"}]}]}"#;
    format!(
        "POST /api/chat HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a request as soon as the server listens, and reads until the text is seen.
fn ask(port: u16, request: &str, wanted: &str) -> Result<(), String> {
    let mut socket = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(socket) => break socket,
            Err(_) => std::thread::yield_now(),
        }
    };
    let fault = |error: std::io::Error| error.to_string();
    socket.write_all(request.as_bytes()).map_err(fault)?;
    let (mut seen, mut buffer) = (Vec::new(), [0; 16 << 10]);
    while !seen.windows(wanted.len()).any(|window| window == wanted.as_bytes()) {
        let read = socket.read(&mut buffer).map_err(fault)?;
        if read == 0 {
            return Err(format!("{wanted} never came: {}", String::from_utf8_lossy(&seen)));
        }
        seen.extend_from_slice(&buffer[..read]);
    }
    Ok(())
}
