//! The loop of a connection. Client messages have priority over the model's remaining output, so
//! that it can be interrupted.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::{ABORT, CloseReason, Framing, HandlerOutput, ModelPrompt, Protocol, SimulatorShared};
use crate::control::{ConnectionHandle, ControlCommand, ObservedEvent};
use crate::fault::InjectedFault;
use crate::simulated_model::ModelAction;

/// Time between the announcement and the end of a connection, for the fault `goaway@N`.
const GO_AWAY: Duration = Duration::from_secs(5);

/// A frame that is not JSON.
const GARBAGE: &str = "{\"serverContent\": {\"modelTurn\": ";

/// Maximum bytes of the reason in a close frame.
const MOST_REASON: usize = 120;

/// Time limit for a client's answer to a close frame.
const GOODBYE: Duration = Duration::from_secs(2);

/// Why the loop ended.
enum LoopEnd {
    /// The client left.
    Left {
        code: Option<u16>,
        reason: String,
    },
    /// A frame could not be sent.
    Lost,
    Closed(CloseReason),
    Cut,
}

type Thinking = BoxFuture<'static, Vec<ModelAction>>;

/// Serves a connection to its end.
pub(crate) async fn drive<P: Protocol>(
    socket: WebSocket,
    protocol: P,
    shared: Arc<SimulatorShared>,
) {
    let line = shared.control.join();
    let mut connection = Connection {
        socket,
        protocol,
        line,
        thinking: None,
        due: None,
        ending: None,
        sent: 0,
        shared,
    };
    let end = connection.serve().await;
    connection.leave(end).await;
}

struct Connection<P> {
    socket: WebSocket,
    protocol: P,
    shared: Arc<SimulatorShared>,
    line: ConnectionHandle,
    thinking: Option<Thinking>,
    /// When the next piece is delivered.
    due: Option<std::pin::Pin<Box<Sleep>>>,
    ending: Option<(Instant, CloseReason)>,
    /// How many frames were sent.
    sent: u64,
}

/// The events of the loop.
enum LoopEvent {
    Order(Option<ControlCommand>),
    Frame(Option<Result<Message, axum::Error>>),
    Decided(Vec<ModelAction>),
    Due,
    TimeUp,
}

impl<P: Protocol> Connection<P> {
    async fn serve(&mut self) -> LoopEnd {
        self.line.show(ObservedEvent::Connected(self.protocol.via()));
        let mut out = HandlerOutput::default();
        self.protocol.open(&mut out);
        loop {
            if let Err(end) = self.settle(&mut out).await {
                return end;
            }
            let handled = match self.next().await {
                LoopEvent::Order(order) => self.order(order, &mut out).await,
                LoopEvent::Frame(frame) => self.frame(frame, &mut out),
                LoopEvent::Decided(steps) => {
                    self.thinking = None;
                    self.protocol.perform(steps, &mut out);
                    Ok(())
                }
                LoopEvent::Due => {
                    self.due = None;
                    self.protocol.deliver(&mut out);
                    Ok(())
                }
                LoopEvent::TimeUp => Err(self
                    .ending
                    .take()
                    .filter(|(_, close)| close.code != ABORT)
                    .map_or(LoopEnd::Cut, |(_, close)| LoopEnd::Closed(close))),
            };
            if let Err(end) = handled {
                return end;
            }
        }
    }

    async fn next(&mut self) -> LoopEvent {
        match self.protocol.next_in() {
            None => self.due = None,
            Some(wait) => {
                self.due.get_or_insert_with(|| Box::pin(sleep(wait)));
            }
        }
        let ending = self.ending.as_ref().map(|(at, _)| *at);
        tokio::select! {
            biased;
            order = self.line.orders.recv() => LoopEvent::Order(order),
            frame = self.socket.recv() => LoopEvent::Frame(frame),
            steps = optional(self.thinking.as_mut()) => LoopEvent::Decided(steps),
            () = until(ending) => LoopEvent::TimeUp,
            () = optional(self.due.as_mut()) => LoopEvent::Due,
        }
    }

    async fn order(
        &mut self,
        order: Option<ControlCommand>,
        out: &mut HandlerOutput,
    ) -> Result<(), LoopEnd> {
        match order {
            None | Some(ControlCommand::Drop) => Err(LoopEnd::Cut),
            Some(ControlCommand::Close(code, reason)) => {
                Err(LoopEnd::Closed(CloseReason::new(code, reason)))
            }
            Some(ControlCommand::Malformed) => self.put(GARBAGE.to_owned()).await,
            Some(order) => {
                self.protocol.obey(order, out);
                Ok(())
            }
        }
    }

    fn frame(
        &mut self,
        frame: Option<Result<Message, axum::Error>>,
        out: &mut HandlerOutput,
    ) -> Result<(), LoopEnd> {
        match frame {
            Some(Ok(Message::Text(text))) => self.protocol.receive(&text, out),
            Some(Ok(Message::Binary(bytes))) => match std::str::from_utf8(&bytes) {
                Ok(text) => self.protocol.receive(text, out),
                Err(_) => out.close(1007, "expected JSON in UTF-8, found other bytes"),
            },
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(frame))) => {
                let (code, reason) = frame.map_or((None, String::new()), |frame| {
                    (Some(frame.code), frame.reason.as_str().to_owned())
                });
                return Err(LoopEnd::Left { code, reason });
            }
            Some(Err(_)) | None => return Err(LoopEnd::Left { code: None, reason: String::new() }),
        }
        Ok(())
    }

    /// Executes the output of a handler.
    async fn settle(&mut self, out: &mut HandlerOutput) -> Result<(), LoopEnd> {
        for seen in out.seen.drain(..) {
            self.line.show(seen);
        }
        self.decide(out);
        let frames = std::mem::take(&mut out.frames);
        for frame in frames {
            self.send(frame).await?;
        }
        match out.close.take() {
            Some(close) => Err(LoopEnd::Closed(close)),
            None => Ok(()),
        }
    }

    /// Sends requests to the model, and schedules an announced end.
    fn decide(&mut self, out: &mut HandlerOutput) {
        match out.model.take() {
            Some(ModelPrompt::Reply(scene)) => {
                let model = self.shared.model.clone();
                self.thinking = Some(Box::pin(async move { model.reply(scene).await }));
            }
            Some(ModelPrompt::Nothing) => self.thinking = None,
            None => {}
        }
        if let Some((wait, close)) = out.end_in.take() {
            self.ending = Some((Instant::now() + wait, close));
        }
    }

    /// Sends a frame, and injects the faults that are due.
    async fn send(&mut self, frame: Value) -> Result<(), LoopEnd> {
        self.sent += 1;
        for fault in self.shared.faults.due(self.sent) {
            self.suffer(fault).await?;
        }
        if self.line.is_watched() {
            self.line.show(ObservedEvent::Sent(without_audio(&frame)));
        }
        self.put(frame.to_string()).await?;
        if self.protocol.has_open_calls() && self.shared.faults.takes_back(self.sent) {
            self.run_while_sending(ControlCommand::Cancel(Vec::new())).await?;
        }
        Ok(())
    }

    async fn suffer(&mut self, fault: InjectedFault) -> Result<(), LoopEnd> {
        match fault {
            InjectedFault::Drop { .. } => Err(LoopEnd::Cut),
            InjectedFault::Close { code, .. } => {
                Err(LoopEnd::Closed(CloseReason::new(code, "as the fault says")))
            }
            InjectedFault::Malformed { .. } => self.put(GARBAGE.to_owned()).await,
            InjectedFault::GoAway { .. } => {
                self.run_while_sending(ControlCommand::GoAway(GO_AWAY)).await
            }
            _ => Ok(()),
        }
    }

    /// Executes a command while sending; its frames are not counted.
    async fn run_while_sending(&mut self, order: ControlCommand) -> Result<(), LoopEnd> {
        let mut out = HandlerOutput::default();
        self.protocol.obey(order, &mut out);
        self.decide(&mut out);
        for frame in out.frames {
            self.line.show(ObservedEvent::Sent(without_audio(&frame)));
            self.put(frame.to_string()).await?;
        }
        Ok(())
    }

    async fn put(&mut self, text: String) -> Result<(), LoopEnd> {
        if let Some(wait) = self.shared.faults.slowness() {
            sleep(wait).await;
        }
        let message = match self.protocol.framing() {
            Framing::Text => Message::Text(text.into()),
            Framing::Binary => Message::Binary(text.into()),
        };
        let sent = self.socket.send(message).await;
        sent.map_err(|_| LoopEnd::Lost)
    }

    /// Reads the remaining messages of a client that left, and its close code. They are not
    /// answered.
    async fn read_on(&mut self) -> (Option<u16>, String) {
        loop {
            let mut out = HandlerOutput::default();
            let frame = self.socket.recv().await;
            let handled = self.frame(frame, &mut out);
            out.seen.drain(..).for_each(|seen| self.line.show(seen));
            if let Err(LoopEnd::Left { code, reason }) = handled {
                return (code, reason);
            }
        }
    }

    async fn leave(mut self, end: LoopEnd) {
        match end {
            LoopEnd::Cut => {
                self.line.show(ObservedEvent::Closed { code: None, reason: String::new() });
            }
            LoopEnd::Left { code, reason } => {
                self.line.show(ObservedEvent::Closed { code, reason });
                self.answer_close().await;
            }
            LoopEnd::Lost => {
                let reading = tokio::time::timeout(GOODBYE, self.read_on()).await;
                let (code, reason) = reading.unwrap_or_default();
                self.line.show(ObservedEvent::Closed { code, reason });
                self.answer_close().await;
            }
            LoopEnd::Closed(close) => {
                let CloseReason { code, mut reason, farewell } = close;
                if let Some(frame) = farewell {
                    self.line.show(ObservedEvent::Sent(frame.clone()));
                    let _ = self.put(frame.to_string()).await;
                }
                self.line.show(ObservedEvent::Closed { code: Some(code), reason: reason.clone() });
                reason.truncate(reason.floor_char_boundary(MOST_REASON));
                let frame = CloseFrame { code, reason: reason.into() };
                let _ = self.socket.send(Message::Close(Some(frame))).await;
                self.answer_close().await;
            }
        }
    }

    /// Reads to the end of the stream, which also sends the answer to a close frame. A client that
    /// receives none reports 1006.
    async fn answer_close(&mut self) {
        let answered = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        let _ = tokio::time::timeout(GOODBYE, answered).await;
    }
}

async fn optional<F: Future + Unpin>(future: Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => pending().await,
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}

/// A frame for watchers, with the length of audio instead of the audio.
fn without_audio(frame: &Value) -> Value {
    match frame {
        Value::Object(fields) => {
            let is_audio = fields.contains_key("mimeType")
                || fields.get("type").and_then(Value::as_str).is_some_and(|kind| {
                    matches!(kind, "response.output_audio.delta" | "session.output_audio.delta")
                });
            let shown = fields.iter().map(|(name, value)| match (name.as_str(), value) {
                ("data" | "delta", Value::String(audio)) if is_audio => {
                    (name.clone(), Value::from(format!("[{} characters]", audio.len())))
                }
                _ => (name.clone(), without_audio(value)),
            });
            Value::Object(shown.collect())
        }
        Value::Array(values) => values.iter().map(without_audio).collect(),
        other => other.clone(),
    }
}
