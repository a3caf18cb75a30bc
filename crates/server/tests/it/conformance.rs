//! One suite over every transport: each conversation script is played through the real server, with
//! the provider in a box on one side and a real client on the other, and has to be decided exactly as
//! it is when the pipeline is driven directly.
//!
//! `stage` sets the server up, `player` makes the steps, `decisions` compares, `skip` says what a
//! transport cannot play, and why.

mod backstage;
mod decisions;
mod listener;
mod player;
mod skip;
mod stage;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use aileron_rehearsal::{Rehearsed, Run, names, read, report};
use aileron_script::Script;
use aileron_store::MemoryStore;

use self::decisions::{Decisions, difference};
use self::player::Player;
use self::skip::skip;
use self::transport::Transport;

/// How long one script may take on a busy machine before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// Names a single script to play, to look into it.
const ONLY: &str = "AILERON_SCRIPT";

/// What is decided without any transport.
async fn rehearsed(script: &Script) -> Rehearsed {
    let mut run = Run::begin(script, Arc::new(MemoryStore::new())).await;
    let played = run.follow(&script.steps).await;
    let ended = match played {
        Ok(()) => run.end(script).await,
        Err(fault) => Err(fault),
    };
    ended.unwrap_or_else(|fault| panic!("{}", report(&script.name, &fault)))
}

/// Plays a script over a transport; what is otherwise than it should be comes back.
async fn play(transport: Transport, script: Script) -> Result<(), String> {
    let rehearsed = rehearsed(&script).await;
    let mut player = Player::begin(transport, &script).await;
    for (step, played) in script.steps.iter().zip(&rehearsed.played) {
        if let Err(why) = player.make(step, played).await {
            return Err(format!("{}.md:{}: {why}\n{}", script.name, step.line, player.story()));
        }
    }
    let wanted = Decisions::rehearsed(&rehearsed, player.repeated());
    let found = player.end().await;
    match difference(&wanted, &found) {
        None => Ok(()),
        Some(difference) => Err(format!("{}.md: {difference}", script.name)),
    }
}

/// Plays every script that the transport can, and reports all that went wrong at once.
async fn conform(transport: Transport) {
    let only = std::env::var(ONLY).ok();
    let mut faults = Vec::new();
    for name in names().into_iter().filter(|name| only.as_ref().is_none_or(|only| only == name)) {
        let script = read(&name);
        if skip(transport, &script).is_some() {
            continue;
        }
        // A task of its own, so that a step that panics is one fault among others.
        let playing = tokio::spawn(tokio::time::timeout(PATIENCE, play(transport, script)));
        match playing.await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(fault))) => faults.push(fault),
            Ok(Err(_)) => faults.push(format!("{name}.md: did not come to an end")),
            Err(panic) => faults.push(format!("{name}.md: {panic}")),
        }
    }
    assert!(faults.is_empty(), "{transport}: {} scripts\n\n{}", faults.len(), faults.join("\n\n"));
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
