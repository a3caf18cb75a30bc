//! Voice: what the server adds to a frame of audio on its way to the provider and back, what a
//! conversation costs, and how fast a call is answered. Beside it, a plain relay in Node.
//!
//! Clients and provider are in this process, with one clock; what is measured is another process.

mod clients;
mod echo;
mod serve;
mod subject;

use std::time::Duration;

pub(crate) use self::serve::serve;

use self::clients::Round;
use self::echo::Echo;
use self::subject::Subject;
use crate::print;
use crate::samples::Samples;

/// How long each round measures.
const MEASURED: Duration = Duration::from_secs(5);

/// How many calls are timed.
const CALLS: usize = 2000;

/// Runs the relay at these numbers of conversations.
pub(crate) fn run(sizes: &str) -> Result<(), String> {
    let sizes: Result<Vec<usize>, _> = sizes.split(',').map(str::parse).collect();
    let sizes = sizes.map_err(|error| format!("expected numbers like 10,100: {error}"))?;
    runtime()?.block_on(relay(&sizes))
}

/// Times calls of a native tool, from the provider's frame to ours.
pub(crate) fn calls() -> Result<(), String> {
    runtime()?.block_on(async {
        let echo = Echo::begin(CALLS).await?;
        let subject = Subject::aileron(&echo.base()).await?;
        let client = clients::idle(subject.address(), 1).await?;
        let samples = echo.calls().await?;
        drop(client);
        print(&samples.line("voice call"));
        Ok(())
    })
}

/// Holds conversations with calls for this long, and prints what memory does.
pub(crate) fn soak(minutes: &str) -> Result<(), String> {
    let minutes: u64 = minutes.parse().map_err(|_| "expected a number of minutes".to_owned())?;
    runtime()?.block_on(async {
        let echo = Echo::begin(0).await?;
        let subject = Subject::aileron(&echo.base()).await?;
        for minute in 0..minutes * 2 {
            let round = Round { conversations: 50, measured: Duration::from_secs(25) };
            let samples = round.run(subject.address()).await?;
            let (memory, minute) = (subject.memory_kb()?, minute as f64 / 2.0);
            let frames = samples.len();
            print(&format!("minute {minute:>4}: {memory} KB resident, {frames} frames"));
        }
        Ok(())
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().build().map_err(|error| error.to_string())
}

async fn relay(sizes: &[usize]) -> Result<(), String> {
    print(
        "| through | conversations | p50 ms | p99 ms | CPU % of a core | conversations a core | KB each |",
    );
    print("|---|---|---|---|---|---|---|");
    for size in sizes {
        let echo = Echo::begin(0).await?;
        let direct =
            Round { conversations: *size, measured: MEASURED }.direct(&echo.base()).await?;
        row("nothing", *size, &direct, None);
        for subject in [Subject::aileron(&echo.base()).await?, Subject::node(&echo.base()).await?] {
            one(subject, *size).await?;
        }
    }
    Ok(())
}

async fn one(subject: Subject, size: usize) -> Result<(), String> {
    let empty = subject.memory_kb()?;
    let idle = clients::idle(subject.address(), size).await?;
    let each = subject.memory_kb()?.saturating_sub(empty) as f64 / size as f64;
    drop(idle);
    let before = subject.cpu()?;
    let round = Round { conversations: size, measured: MEASURED };
    let samples = round.run(subject.address()).await?;
    let cpu = (subject.cpu()? - before).as_secs_f64() / round.lasted().as_secs_f64();
    row(subject.name(), size, &samples, Some((cpu, each)));
    Ok(())
}

fn row(name: &str, size: usize, samples: &Samples, cost: Option<(f64, f64)>) {
    let (p50, p99) = (samples.p50_us() / 1000.0, samples.p99_us() / 1000.0);
    let cost = cost.map_or("- | - | -".to_owned(), |(cpu, each)| {
        format!("{:.0} | {:.0} | {each:.0}", cpu * 100.0, size as f64 / cpu.max(0.001))
    });
    print(&format!("| {name} | {size} | {p50:.2} | {p99:.2} | {cost} |"));
}
