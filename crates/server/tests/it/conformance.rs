//! One suite over every transport: each conversation script is played through the real server, with
//! the provider in a box on one side and a real client on the other, and has to be decided exactly as
//! it is when the pipeline is driven directly.
//!
//! `stage` sets the server up, `player` makes the steps, `decisions` compares, `skip` says what a
//! transport cannot play, and why.

mod backstage;
mod decisions;
mod listener;
mod modes;
mod player;
mod skip;
mod stage;
mod table;
mod transport;

use std::time::Duration;

use aileron_contract::Outcome;
use aileron_rehearsal::{RunOptions, RunResult, names, read, report};
use aileron_script::Script;

use self::decisions::{Decisions, difference};
use self::modes::{alike, has_other_mode, in_other_mode};
use self::player::Player;
use self::skip::skip;
use self::transport::Transport;

/// How long one script may take on a busy machine before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long one step of it may take, so that a report says where it was stuck.
const STEP: Duration = Duration::from_secs(40);

/// Names a single script to play, to look into it.
const ONLY: &str = "AILERON_SCRIPT";

/// A script, and the numbers and tools it is played with.
#[derive(Debug, Clone)]
struct Part {
    script: Script,
    terms: RunOptions,
}

impl Part {
    /// A script with what is shipped.
    fn shipped(script: Script) -> Self {
        Self { script, terms: RunOptions::default() }
    }

    async fn comes_true(&self) -> bool {
        modes::rehearsed(&self.script, self.terms.clone()).await.is_ok()
    }
}

/// Plays a script over a transport; what is otherwise than it should be comes back.
async fn play(transport: Transport, part: Part) -> Result<(), String> {
    let rehearsed = modes::rehearsed(&part.script, part.terms.clone()).await;
    let rehearsed = rehearsed.map_err(|fault| report(&part.script.name, &fault))?;
    repeat(transport, &part, &rehearsed).await
}

/// Plays a script over a transport and compares it with a direct run.
async fn repeat(transport: Transport, part: &Part, rehearsed: &RunResult) -> Result<(), String> {
    let script = &part.script;
    let mut player = Player::begin(transport, part).await;
    for (step, played) in script.steps.iter().zip(&rehearsed.played) {
        let made = tokio::time::timeout(STEP, player.make(step, played)).await;
        let made = made.unwrap_or_else(|_| Err("the step does not come to its end".to_owned()));
        if let Err(why) = made {
            return Err(format!("{}.md:{}: {why}\n{}", script.name, step.line, player.story()));
        }
    }
    if let Err(why) = player.log_holds().await {
        return Err(format!("{}.md: {why}", script.name));
    }
    let wanted = Decisions::rehearsed(rehearsed, player.repeated());
    let found = player.end().await;
    match difference(&wanted, &found) {
        None => Ok(()),
        Some(difference) => Err(format!("{}.md: {difference}", script.name)),
    }
}

/// Every script that the transport plays: those of its mode, and those of the other mode that come
/// true in its own as well, if need be with the numbers of the mode they were written for.
async fn program(transport: Transport) -> Vec<Part> {
    let mut program = Vec::new();
    for script in names().iter().map(|name| read(name)) {
        if skip(transport, &script).is_none() {
            program.push(Part::shipped(script));
        } else if has_other_mode(&script) && script.mode != transport.mode() {
            let other = in_other_mode(&script);
            if skip(transport, &other).is_none() {
                program.extend(in_own_mode(other, alike(script.mode)).await);
            }
        }
    }
    program
}

/// The script on the first terms on which it comes true.
async fn in_own_mode(script: Script, alike: RunOptions) -> Option<Part> {
    for part in [Part::shipped(script.clone()), Part { script, terms: alike }] {
        if part.comes_true().await {
            return Some(part);
        }
    }
    None
}

/// Plays every script that the transport can, and reports all that went wrong at once.
async fn conform(transport: Transport) {
    let only = std::env::var(ONLY).ok();
    let mut faults = Vec::new();
    for part in program(transport).await {
        let name = part.script.name.clone();
        if only.as_ref().is_some_and(|only| !name.starts_with(only.as_str())) {
            continue;
        }
        // A separate task, so that a step that panics is one fault among others.
        let playing = tokio::spawn(tokio::time::timeout(PATIENCE, play(transport, part)));
        match playing.await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(fault))) => faults.push(fault),
            Ok(Err(_)) => faults.push(format!("{name}: did not come to an end")),
            Err(panic) => faults.push(format!("{name}: {panic}")),
        }
    }
    assert!(faults.is_empty(), "{transport}: {} scripts\n\n{}", faults.len(), faults.join("\n\n"));
}

#[tokio::test]
async fn a_server_that_decides_otherwise_is_noticed() {
    for (transport, name) in [
        (Transport::GeminiLive, "budget-voice-total"),
        (Transport::OpenaiRealtime, "no-retry-in-voice"),
        (Transport::Anthropic, "loop-identical"),
    ] {
        let part = Part::shipped(read(name));
        let mut rehearsed = modes::rehearsed(&part.script, RunOptions::default()).await.unwrap();
        let last = rehearsed.entries.last_mut().unwrap();
        last.outcome = Outcome::Denied;
        let fault = repeat(transport, &part, &rehearsed).await.unwrap_err();
        assert!(fault.contains("the records say") && fault.contains("denied"), "{fault}");
    }
}

#[tokio::test]
async fn gemini_live_decides_as_the_pipeline_does() {
    conform(Transport::GeminiLive).await;
}

#[tokio::test]
async fn openai_realtime_decides_as_the_pipeline_does() {
    conform(Transport::OpenaiRealtime).await;
}

#[tokio::test]
async fn gemini_decides_as_the_pipeline_does() {
    conform(Transport::Gemini).await;
}

#[tokio::test]
async fn openai_decides_as_the_pipeline_does() {
    conform(Transport::Openai).await;
}

#[tokio::test]
async fn openai_chat_decides_as_the_pipeline_does() {
    conform(Transport::OpenaiChat).await;
}

#[tokio::test]
async fn anthropic_decides_as_the_pipeline_does() {
    conform(Transport::Anthropic).await;
}
