//! A soak: conversations that talk, call tools, confirm, are interrupted and lose their provider,
//! begun and ended twice a minute. It fails if a call is not answered exactly once, or if memory
//! keeps growing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::clients::{self, Socket};
use super::crowd::{EVERY, FRAME};
use super::model::{Model, Tally};
use super::subject::{Subject, Through};
use crate::print;

/// Conversations at a time.
const CONVERSATIONS: usize = 50;

/// How long each of them talks.
const LASTS: Duration = Duration::from_secs(28);

/// How long a client listens before it leaves, so that no call overlaps with its goodbye.
const LISTENS: Duration = Duration::from_secs(2);

/// Rounds for each row of the table.
const A_ROW: usize = 2;

/// Runs for so many minutes.
pub(super) async fn run(minutes: u64) -> Result<(), String> {
    let tally = Arc::new(Tally::default());
    let model = Model::begin(tally.clone())?;
    let subject = Subject::begin(Through::AileronOnDisk, &model.base()).await?;
    print(
        "| minute | KB resident | frames | calls | answers | in words | confirmed | cut short | reconnects |",
    );
    print("|---|---|---|---|---|---|---|---|---|");
    let began = Instant::now();
    let mut resident = Vec::new();
    while began.elapsed() < Duration::from_secs(minutes * 60) {
        round(&subject, &tally).await?;
        let memory_kb = subject.memory_kb()?;
        resident.push(memory_kb);
        if resident.len().is_multiple_of(A_ROW) {
            let minute = began.elapsed().as_secs_f64() / 60.0;
            print(&format!("| {minute:.1} | {memory_kb} | {tally} |"));
        }
    }
    print(&format!("\n{}", tally.verdict(resident).pronounce()?));
    Ok(())
}

async fn round(subject: &Subject, tally: &Arc<Tally>) -> Result<(), String> {
    let sockets = clients::idle(subject.address(), CONVERSATIONS).await?;
    let until = Instant::now() + LASTS;
    let each = |(n, socket)| tokio::spawn(converse(socket, n, until, tally.clone()));
    let tasks: Vec<_> = sockets.into_iter().enumerate().map(each).collect();
    for task in tasks {
        task.await.map_err(|error| error.to_string())??;
    }
    Ok(())
}

/// Talks until the time is over, and listens a little longer. Every other client ends the session;
/// the rest close the connection.
async fn converse(
    mut socket: Socket,
    n: usize,
    until: Instant,
    tally: Arc<Tally>,
) -> Result<(), String> {
    let mut ticks = tokio::time::interval(EVERY);
    while Instant::now() < until + LISTENS {
        tokio::select! {
            _ = ticks.tick() => {
                if Instant::now() < until {
                    tally.frames.add();
                    say(&mut socket, Message::binary(vec![0; FRAME])).await?;
                }
            }
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => told(&mut socket, &text, &tally).await?,
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err("a conversation ended by itself".to_owned()),
            },
        }
    }
    if n.is_multiple_of(2) {
        say(&mut socket, Message::text(r#"{"type":"stop"}"#)).await?;
        while let Some(Ok(_)) = socket.next().await {}
    }
    Ok(())
}

/// Reacts like a person who approves everything.
async fn told(socket: &mut Socket, text: &str, tally: &Tally) -> Result<(), String> {
    let message: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match message["type"].as_str() {
        Some("confirmation_request") => {
            let answer = json!({ "type": "confirm", "token": message["token"], "approve": true });
            say(socket, Message::text(answer.to_string())).await?;
        }
        Some("confirmation_closed") if message["how"] == "approved" => tally.confirmed.add(),
        Some("interrupted") => tally.cut_short.add(),
        Some("error") if message["code"] != "reconnecting" => return Err(text.to_owned()),
        Some("error") => tally.reconnects.add(),
        _ => {}
    }
    Ok(())
}

async fn say(socket: &mut Socket, message: Message) -> Result<(), String> {
    socket.send(message).await.map_err(|error| error.to_string())
}
