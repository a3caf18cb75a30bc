//! Chat: the time to the first bytes beyond the provider's own, and the cost of a thousand
//! concurrent streams, compared with a plain handler in Node.
//!
//! The simulated provider, our server and the handler in Node are separate processes; this one only
//! reads. All of them share the machine.

mod client;
mod provider;
mod server;
mod start;

use std::time::Duration;

use self::client::{Target, first};
pub(crate) use self::provider::run as provider;
pub(crate) use self::server::run as server;
pub(crate) use self::start::run as start;
use crate::print;
use crate::process::Child;
use crate::samples::Samples;

/// The number of sequential requests, for the time to the first bytes.
const ALONE: usize = 400;

/// The number of concurrent streams.
const AT_ONCE: usize = 1000;

/// How long the provider waits before each event while many streams are open, in milliseconds.
const PACE: &str = "20";

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(async {
        alone().await?;
        crowd().await
    })
}

/// One stream at a time: the provider itself, our server, and the handler in Node, in turns.
async fn alone() -> Result<(), String> {
    let provider = Child::ours(&["chat-provider", "0"])?;
    let port = provider.port.to_string();
    let ours = Child::ours(&["chat-server", &port])?;
    let node = Child::node("chat.mjs", &[&port])?;
    let targets = [
        ("provider", Target::provider(provider.port), "data:"),
        ("aileron, first byte", Target::chat(ours.port), "data:"),
        ("aileron, first word", Target::chat(ours.port), "text-delta"),
        ("node, first byte", Target::chat(node.port), "data:"),
        ("node, first word", Target::chat(node.port), "text-delta"),
    ];
    let mut samples: Vec<_> = targets.iter().map(|_| Samples::default()).collect();
    for round in 0..ALONE + 20 {
        for ((_, target, wanted), samples) in targets.iter().zip(&mut samples) {
            let took = first(target, round, wanted).await?;
            if round >= 20 {
                samples.push(took);
            }
        }
    }
    print("| until | p50 ms | p99 ms | over the provider, p50 ms |");
    print("|---|---|---|---|");
    let base = samples.first().map_or(0.0, Samples::p50_us);
    for ((name, ..), samples) in targets.iter().zip(&samples) {
        let (p50, p99) = (samples.p50_us(), samples.p99_us());
        let over = (p50 - base) / 1000.0;
        print(&format!("| {name} | {:.2} | {:.2} | {over:.2} |", p50 / 1000.0, p99 / 1000.0));
    }
    Ok(())
}

/// Many concurrent streams, and the processor time of each server for them.
async fn crowd() -> Result<(), String> {
    print("| 1,000 streams at once | errors | seconds | CPU seconds | CPU ms a stream | peak MB |");
    print("|---|---|---|---|---|---|");
    let provider = Child::ours(&["chat-provider", PACE])?;
    let port = provider.port.to_string();
    let ours = Child::ours(&["chat-server", &port])?;
    let aileron = streams("aileron", &ours).await?;
    drop(ours);
    let node = Child::node("chat.mjs", &[&port])?;
    let plain = streams("node", &node).await?;
    print(&format!("node / aileron, CPU a stream: {:.1}", plain / aileron));
    Ok(())
}

/// Opens all streams and reads them to their ends; returns the processor time per stream.
async fn streams(name: &str, server: &Child) -> Result<f64, String> {
    let target = Target::chat(server.port);
    // One-time work is not counted.
    client::whole(&target, 1_000_000).await?;
    let (began, before) = (std::time::Instant::now(), server.cpu_seconds()?);
    let mut open = Vec::new();
    for number in 0..AT_ONCE {
        let target = target.clone();
        open.push(tokio::spawn(async move { client::whole(&target, number).await }));
        tokio::time::sleep(Duration::from_micros(500)).await;
    }
    let mut errors = 0;
    for stream in open {
        errors += usize::from(!matches!(stream.await, Ok(Ok(()))));
    }
    let (took, cpu) = (began.elapsed().as_secs_f64(), server.cpu_seconds()? - before);
    let each = cpu * 1000.0 / AT_ONCE as f64;
    let peak = server.peak_mb()?;
    print(&format!("| {name} | {errors} | {took:.1} | {cpu:.2} | {each:.2} | {peak} |"));
    Ok(each)
}
