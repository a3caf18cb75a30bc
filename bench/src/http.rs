//! Concurrent calls over HTTP, compared with a plain server in Node with the same policies and no
//! durability.
//!
//! Both servers are separate processes and are measured in turns. This process only sends and
//! receives, on one thread; all share the machine.

mod clients;
mod exchange;

use std::time::{Duration, Instant};

use self::clients::{Clients, Tally};
use crate::process::Child;
use crate::{pipeline, print};

/// How long a server is used before calls are counted.
const WARM_UP: Duration = Duration::from_secs(1);

/// How long each measurement takes.
const SPAN: Duration = Duration::from_secs(4);

/// How often each number of connections is measured; the best round counts.
const ROUNDS: usize = 3;

/// An unused address: calls need no model.
const NO_PROVIDER: &str = "http://127.0.0.1:9";

/// One server, measured in one round.
struct Measured {
    tally: Tally,
    /// Processor time of the server.
    cpu_seconds: f64,
}

pub(crate) fn run(sizes: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let schema = folder.path().join("schema.json");
    std::fs::write(&schema, pipeline::search_spec()?.to_string()).map_err(|e| e.to_string())?;
    let ours = Child::ours(&["voice-serve", NO_PROVIDER, "disk"])?;
    let node = Child::node("gate.mjs", &[&schema.to_string_lossy()])?;
    print(
        "| connections | server | calls a second | p50 ms | p99 ms | CPU µs a call | times Node's calls |",
    );
    print("|---|---|---|---|---|---|---|");
    for size in sizes.split(',') {
        let expected = || format!("expected numbers such as 1,32,256, found {size:?}");
        let size = size.parse().map_err(|_| expected())?;
        let (mut best_ours, mut best_node) = (None, None);
        for _ in 0..ROUNDS {
            keep_best(&mut best_ours, measure(&ours, size)?);
            keep_best(&mut best_node, measure(&node, size)?);
        }
        let (Some(ours), Some(node)) = (best_ours, best_node) else { continue };
        let ratio = ours.calls_a_second() / node.calls_a_second();
        print(&format!("| {size} | aileron, durable | {} | {ratio:.2} |", ours.columns()));
        print(&format!("| {size} | Node, in memory | {} | 1 |", node.columns()));
    }
    Ok(())
}

fn keep_best(best: &mut Option<Measured>, next: Measured) {
    if best.as_ref().is_none_or(|best| best.calls_a_second() < next.calls_a_second()) {
        *best = Some(next);
    }
}

fn measure(server: &Child, connections: usize) -> Result<Measured, String> {
    let mut clients = Clients::connect(server.port, connections)?;
    clients.run_until(Instant::now() + WARM_UP)?;
    let (before, began) = (server.cpu_seconds()?, Instant::now());
    let mut tally = clients.run_until(began + SPAN)?;
    tally.took = began.elapsed();
    Ok(Measured { tally, cpu_seconds: server.cpu_seconds()? - before })
}

impl Measured {
    fn calls_a_second(&self) -> f64 {
        self.tally.calls.len() as f64 / self.tally.took.as_secs_f64()
    }

    fn columns(&self) -> String {
        let calls = &self.tally.calls;
        let cpu = self.cpu_seconds * 1e6 / calls.len().max(1) as f64;
        let (p50, p99) = (calls.p50_us() / 1000.0, calls.p99_us() / 1000.0);
        format!("{:.0} | {p50:.2} | {p99:.2} | {cpu:.0}", self.calls_a_second())
    }
}
