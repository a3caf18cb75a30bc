//! Voice: the latency that the server adds to an audio frame to the provider and back, the cost of
//! a conversation, and the time to answer a call. Compared with a plain relay in Node.
//!
//! Clients and provider are in this process, with one clock and their own core; the measured server
//! is another process on another core.

mod capacity;
mod clients;
mod core;
mod crowd;
mod echo;
mod model;
mod serve;
mod soak;
mod subject;
mod system;
mod verdict;
mod wire;

use std::time::Duration;

pub(crate) use self::serve::{Kept, serve};

use self::clients::{Outcome, Round};
use self::core::Core;
use self::echo::Echo;
use self::subject::{Subject, Through};
use crate::print;

/// How long each round measures.
const MEASURED: Duration = Duration::from_secs(5);

/// How often each is measured, in turns. Other load on a machine only adds time, so the round with
/// the fastest frames is the most accurate.
const ROUNDS: usize = 3;

/// How many calls are timed.
const CALLS: usize = 2000;

/// Measures the relay with these numbers of conversations, for the servers whose name begins with
/// this.
pub(crate) fn run(sizes: &str, name: &str) -> Result<(), String> {
    let sizes: Result<Vec<usize>, _> = sizes.split(',').map(str::parse).collect();
    let sizes = sizes.map_err(|error| format!("expected numbers like 10,100: {error}"))?;
    runtime()?.block_on(relay(&sizes, &named(name)))
}

/// Finds how many conversations a core can handle, for the servers whose name begins with this.
pub(crate) fn capacity(name: &str) -> Result<(), String> {
    runtime()?.block_on(capacity::run(&named(name)))
}

fn named(name: &str) -> Vec<Through> {
    Through::ALL.into_iter().filter(|through| through.name().starts_with(name)).collect()
}

/// Measures calls of a native tool, from the provider's frame to ours.
pub(crate) fn calls() -> Result<(), String> {
    runtime()?.block_on(async {
        let echo = Echo::begin(CALLS)?;
        let subject = Subject::begin(Through::Aileron, &echo.base()).await?;
        let client = clients::idle(subject.address(), 1).await?;
        let samples = echo.calls().await?;
        drop(client);
        print(&samples.line("voice call"));
        Ok(())
    })
}

/// Runs conversations with calls for this long, prints the memory use, and fails if it grows or if
/// calls are not answered exactly once.
pub(crate) fn soak(minutes: &str) -> Result<(), String> {
    let minutes = minutes.parse().map_err(|_| "expected a number of minutes".to_owned())?;
    runtime()?.block_on(soak::run(minutes))
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().map_err(|error| error.to_string())
}

async fn relay(sizes: &[usize], what: &[Through]) -> Result<(), String> {
    print(
        "| through | conversations | p50 ms | p99 ms | back % | CPU % of a core | µs a frame | KB each |",
    );
    print("|---|---|---|---|---|---|---|---|");
    core::stay_on(Core::Crowd)?;
    for size in sizes {
        let echo = Echo::begin(0)?;
        let round = Round { conversations: *size, measured: MEASURED };
        let (mut nothing, mut system) = (Best::default(), f64::INFINITY);
        let mut servers: Vec<_> = what.iter().map(|through| (*through, Best::default())).collect();
        for _ in 0..ROUNDS {
            nothing.take(round.direct(&echo).await?, None);
            for (through, best) in &mut servers {
                let subject = Subject::apart(*through, &echo.base()).await?;
                let each = idle_kb(&subject, *size).await?;
                best.take(round.through(&subject, &echo).await?, Some(each));
            }
            let alone = system::us_a_frame(*size).map_err(|error| error.to_string())?;
            system = system.min(alone);
        }
        nothing.print("nothing");
        servers.iter().for_each(|(through, best)| best.print(through.name()));
        print(&format!("| the system alone | {size} | - | - | - | - | {system:.1} | - |"));
    }
    Ok(())
}

/// The round with the fastest frames, with the memory of a silent conversation.
#[derive(Debug, Default)]
struct Best(Option<(Outcome, Option<f64>)>);

impl Best {
    fn take(&mut self, outcome: Outcome, kb_each: Option<f64>) {
        if self.0.as_ref().is_none_or(|(best, _)| outcome.is_quicker_than(best)) {
            self.0 = Some((outcome, kb_each));
        }
    }

    fn print(&self, name: &str) {
        let Some((outcome, kb_each)) = &self.0 else { return };
        let samples = &outcome.samples;
        let (p50, p99) = (samples.p50_us() / 1000.0, samples.p99_us() / 1000.0);
        let (size, back) = (outcome.round.conversations, outcome.delivered() * 100.0);
        let cost = kb_each.map_or("- | - | -".to_owned(), |each| {
            let (cores, frame) = (outcome.cores() * 100.0, outcome.us_a_frame());
            format!("{cores:.0} | {frame:.1} | {each:.0}")
        });
        print(&format!("| {name} | {size} | {p50:.2} | {p99:.2} | {back:.1} | {cost} |"));
    }
}

/// The memory of a silent conversation.
async fn idle_kb(subject: &Subject, size: usize) -> Result<f64, String> {
    let empty = subject.memory_kb()?;
    let idle = clients::idle(subject.address(), size).await?;
    let each = subject.memory_kb()?.saturating_sub(empty) as f64 / size as f64;
    drop(idle);
    Ok(each)
}
