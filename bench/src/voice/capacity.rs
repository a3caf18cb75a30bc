//! The maximum number of conversations per core: increased until frames come back too late.

use std::time::Duration;

use super::clients::{Outcome, Round};
use super::echo::Echo;
use super::subject::{Subject, Through};
use crate::print;

/// A number of conversations is sustained if 99 % of its frames are back within this.
const BOUND_MS: f64 = 5.0;

/// The share of the frames that has to come back at all.
const DELIVERED: f64 = 0.999;

/// How long each number of conversations is measured.
const MEASURED: Duration = Duration::from_secs(3);

/// How often a number is tried: other load on a machine only adds time.
const TRIES: usize = 2;

/// The start of the search, and its last step as a share of the result.
const FIRST: usize = 100;
const STEP: usize = 20;

pub(super) async fn run(what: &[Through]) -> Result<(), String> {
    print(
        "| through | conversations on one core | p50 ms | p99 ms | back % | CPU % | µs a frame |",
    );
    print("|---|---|---|---|---|---|---|");
    for through in what {
        let search = Search { through: *through, echo: Echo::begin(0)? };
        match search.most().await? {
            Some(outcome) => row(through.name(), &outcome),
            None => print(&format!("| {} | under {FIRST} | - | - | - | - | - |", through.name())),
        }
    }
    Ok(())
}

struct Search {
    through: Through,
    echo: Echo,
}

impl Search {
    /// Doubles the number until it is too large, then searches between the last two.
    async fn most(&self) -> Result<Option<Outcome>, String> {
        let mut best: Option<Outcome> = None;
        let mut too_many = None;
        loop {
            let carried = best.as_ref().map_or(0, |best| best.round.conversations);
            let next = match too_many {
                None => (carried * 2).max(FIRST),
                Some(too_many) if too_many - carried <= (carried / STEP).max(1) => return Ok(best),
                Some(too_many) => carried.midpoint(too_many),
            };
            if next < FIRST {
                return Ok(None);
            }
            match self.carried(next).await? {
                Some(outcome) => best = Some(outcome),
                None => too_many = Some(next),
            }
        }
    }

    /// The outcome of a number of conversations, if it was sustained.
    async fn carried(&self, conversations: usize) -> Result<Option<Outcome>, String> {
        let round = Round { conversations, measured: MEASURED };
        for _ in 0..TRIES {
            let subject = Subject::apart(self.through, &self.echo.base()).await?;
            let outcome = round.through(&subject, &self.echo).await?;
            if is_carried(&outcome) {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }
}

fn is_carried(outcome: &Outcome) -> bool {
    outcome.samples.p99_us() / 1000.0 <= BOUND_MS && outcome.delivered() >= DELIVERED
}

fn row(name: &str, outcome: &Outcome) {
    let samples = &outcome.samples;
    let (p50, p99) = (samples.p50_us() / 1000.0, samples.p99_us() / 1000.0);
    let (back, cores) = (outcome.delivered() * 100.0, outcome.cores() * 100.0);
    let (count, frame) = (outcome.round.conversations, outcome.us_a_frame());
    print(&format!(
        "| {name} | {count} | {p50:.2} | {p99:.2} | {back:.1} | {cores:.0} | {frame:.1} |"
    ));
}
