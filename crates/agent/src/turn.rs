//! One turn: request a reply of the model, run its calls, send their results, until the model answers.
//!
//! However it ends, the history stays valid for a model: every call in it has its result, and text before
//! the end is kept.

mod calls;
mod decisions;
mod failures;
mod reading;
mod turn_lock;

use std::sync::Arc;

use aileron_contract::text::{
    ChatMessage, CompletedReply, FinishReason, ModelRequest, ReplyPart, ToolResultMessage, Tools,
};
use aileron_contract::tokens;
use aileron_orchestrator::{Conversation, LateAnswer, Person, Resolution, TurnInput};
use tokio::sync::mpsc::Sender;
use tokio_util::sync::CancellationToken;

use self::decisions::ResolutionNews;
use self::failures::{faulted, lost, not_begun};
use self::reading::ReplyEnd;
pub(crate) use self::turn_lock::{TurnGuard, TurnLocks};
use crate::agent::{AgentShared, ConfirmationAnswer, EventStream, UserMessage};
use crate::citation::Evidence;
use crate::event::{ContextTokens, TurnEvent, TurnFailure, TurnOutcome};
use crate::history::{LoggedMessage, TurnHistory, compact};
use crate::model::ReplyStream;

/// The input that begins a turn.
#[derive(Debug)]
pub(crate) enum TurnTrigger {
    Said(UserMessage),
    /// Replaces the messages from this index of the history on.
    Instead {
        from: usize,
        words: UserMessage,
        by: Person,
    },
    Decided {
        decisions: Vec<ConfirmationAnswer>,
        by: Person,
    },
    /// Results of tasks, without input of the person. The turn that made the calls continues, with its
    /// budget, so that results that lead to further calls do not go on for ever.
    TaskResults,
}

/// Why a turn ended early.
#[derive(Debug)]
pub(crate) enum TurnAbort {
    /// The reader is gone.
    Stopped,
    Failed(TurnFailure),
}

/// The state that the steps of a turn share.
pub(crate) struct TurnRun {
    agent: Arc<AgentShared>,
    conversation: Conversation,
    history: TurnHistory,
    events: Sender<TurnEvent>,
    stop: CancellationToken,
    number: u64,
    /// When the turn began. The instructions of all its steps have this time, because a provider refuses reasoning
    /// that it signed under other instructions.
    began_at: u64,
    evidence: Evidence,
    /// The model's text since the turn began.
    words: String,
    /// The pending message for this turn.
    kept: Option<String>,
}

const KEPT: &str = "Begin your answer with this message, which was kept for this turn:";
const STEP_LIMIT: &str = "(I stopped here: this took more steps than one message may.)";

impl TurnRun {
    pub(crate) fn new(
        agent: Arc<AgentShared>,
        conversation: Conversation,
        history: TurnHistory,
        events: Sender<TurnEvent>,
        stop: CancellationToken,
    ) -> Self {
        let (evidence, words, kept) = (Evidence::default(), String::new(), None);
        let number = history.said().last().map_or(0, |said| said.turn);
        let began_at = agent.parts.clock.now_ms();
        Self { agent, conversation, history, events, stop, number, began_at, evidence, words, kept }
    }

    /// Runs the turn to its end. The turn lock is released last.
    pub(crate) async fn run(
        mut self,
        opening: TurnTrigger,
        mut watch: EventStream,
        turn_guard: TurnGuard,
    ) {
        let ended = self.answer(opening, &mut watch).await;
        let kept = self.history.settle().await.map_err(lost);
        let last = match (ended, kept) {
            (Err(TurnAbort::Stopped), _) => return,
            (Err(TurnAbort::Failed(failed)), _) | (Ok(_), Err(TurnAbort::Failed(failed))) => {
                TurnEvent::Failed(failed)
            }
            (Ok(ended), _) => TurnEvent::Finished(ended),
        };
        drop(turn_guard);
        // The reader may be gone.
        let _ = self.events.send(last).await;
    }

    async fn answer(
        &mut self,
        opening: TurnTrigger,
        watch: &mut EventStream,
    ) -> Result<TurnOutcome, TurnAbort> {
        match opening {
            TurnTrigger::Said(words) => {
                self.complete_history(watch).await?;
                self.begin(words).await?;
            }
            TurnTrigger::Instead { from, words, by } => {
                self.take_back(from, &by).await;
                self.begin(words).await?;
            }
            TurnTrigger::Decided { decisions, by } => {
                self.complete_history(watch).await?;
                match self.decide(decisions, &by, watch).await? {
                    ResolutionNews::New => {}
                    ResolutionNews::Known => return Ok(TurnOutcome::Answered),
                }
            }
            TurnTrigger::TaskResults => {
                self.complete_history(watch).await?;
                self.recall_evidence();
                self.send_event(TurnEvent::Began { turn: self.number }).await?;
                let results = self.conversation.task_results().await;
                if self.take_task_results(results).await? == 0 {
                    return Ok(TurnOutcome::Answered);
                }
            }
        }
        let steps = self.agent.budget(&self.conversation).total.saturating_add(2);
        for step in 1..=steps {
            let tools = if step == steps { Tools::Withheld } else { Tools::Offered };
            if let Some(ended) = self.step(tools, watch).await? {
                self.cite().await?;
                return Ok(ended);
            }
        }
        Ok(TurnOutcome::StepLimit)
    }

    /// Runs the calls again that a process left without results when it died; calls that finished are replayed.
    async fn complete_history(&mut self, watch: &mut EventStream) -> Result<(), TurnAbort> {
        if let Some((turn, calls)) = self.history.unanswered() {
            let answers = self.make(calls, watch).await;
            self.add(turn, ChatMessage::Results { answers });
        }
        Ok(())
    }

    /// Retracts the messages from an index on, and declines the confirmations among them, because the
    /// person can no longer see them.
    async fn take_back(&mut self, from: usize, by: &Person) {
        for token in self.history.asked_since(from) {
            // A confirmation that was resolved or has expired is ignored.
            let _ = self.conversation.confirm(&token, false, by).await;
        }
        self.history.take_back(from, self.agent.parts.clock.now_ms());
    }

    async fn begin(&mut self, UserMessage { text, id }: UserMessage) -> Result<(), TurnAbort> {
        let input = TurnInput::Typed { text: text.clone() };
        let begun = self.conversation.begin_turn(input).await.map_err(not_begun)?;
        self.number = begun.turn;
        self.kept = begun.pending_message;
        self.send_event(TurnEvent::Began { turn: begun.turn }).await?;
        for resolution in begun.resolutions {
            self.take_resolution(resolution).await?;
        }
        self.take_task_results(begun.task_results).await?;
        self.catch_up().await?;
        let now = self.agent.parts.clock.now_ms();
        self.history.add(
            LoggedMessage { id, ..LoggedMessage::new(self.number, ChatMessage::Person { text }) },
            now,
        );
        Ok(())
    }

    async fn take_resolution(&mut self, resolution: Resolution) -> Result<(), TurnAbort> {
        let late = match resolution {
            Resolution::Approved(late)
            | Resolution::Declined(late)
            | Resolution::Expired(late)
            | Resolution::Superseded(late) => late,
            // Another channel may have resolved it, so the history may still lack the result.
            Resolution::Known(earlier) => return Box::pin(self.take_resolution(*earlier)).await,
            Resolution::AskAgain { .. } => return Ok(()),
        };
        for late in late {
            self.take_late(late).await?;
        }
        Ok(())
    }

    async fn take_late(
        &mut self,
        LateAnswer { call_id, answer }: LateAnswer,
    ) -> Result<(), TurnAbort> {
        let tool_id = answer.meta().tool_id.clone();
        let answer = ToolResultMessage { call_id, tool_id, response: (*answer).clone() };
        self.send_answer(&answer).await?;
        self.add(self.number, ChatMessage::Late { answer });
        Ok(())
    }

    /// Takes results of tasks that the history does not have; returns how many.
    async fn take_task_results(&mut self, results: Vec<LateAnswer>) -> Result<usize, TurnAbort> {
        let mut taken = 0;
        for late in results {
            let task = late.answer.meta().task.as_ref().map(|task| task.id.clone());
            match task.filter(|task| self.history.has_result_of(task)) {
                // A process died between writing the history and marking the result.
                Some(task) => self.history.was_told(task),
                None => {
                    self.take_late(late).await?;
                    taken += 1;
                }
            }
        }
        Ok(taken)
    }

    /// Takes the results of confirmations that the person answered through another channel, so that the
    /// model has them before the next request.
    async fn catch_up(&mut self) -> Result<(), TurnAbort> {
        for token in self.history.open_questions() {
            if let Some(late) = self.conversation.answered(&token).await {
                self.take_late(late).await?;
            }
        }
        Ok(())
    }

    /// Sends one request to the model, and runs its calls. Returns the outcome if the turn is over.
    async fn step(
        &mut self,
        tools: Tools,
        watch: &mut EventStream,
    ) -> Result<Option<TurnOutcome>, TurnAbort> {
        // The request is dropped before the reply is read, which may take minutes.
        let (reading, context) = self.send(tools);
        self.send_event(TurnEvent::StepBegan { context: Some(context) }).await?;
        let read = self.read(reading, tools).await;
        let reply = match read {
            ReplyEnd::Reply(reply) => reply,
            ReplyEnd::Stopped(parts) => {
                self.keep_partial(parts);
                return Err(TurnAbort::Stopped);
            }
            ReplyEnd::Fault(parts, fault) => {
                self.keep_partial(parts);
                return Err(TurnAbort::Failed(faulted(&fault)));
            }
        };
        self.send_event(TurnEvent::Usage(reply.usage.clone())).await?;
        match tools {
            Tools::Offered => self.take_reply(reply, watch).await,
            Tools::Withheld => self.take_last(reply).await.map(Some),
        }
    }

    async fn take_reply(
        &mut self,
        reply: CompletedReply,
        watch: &mut EventStream,
    ) -> Result<Option<TurnOutcome>, TurnAbort> {
        let calls: Vec<_> = reply.calls().cloned().collect();
        let CompletedReply { parts, original, ending, .. } = reply;
        self.add(self.number, ChatMessage::Model { parts, original });
        if calls.is_empty() {
            self.send_event(TurnEvent::StepEnded).await?;
            return Ok(Some(ended(&ending)));
        }
        // Calls run only once the message is durable: another process may be answering too.
        self.history.settle().await.map_err(lost)?;
        for call in &calls {
            let args = self.conversation.shown_args(&call.tool_id, &call.args.clone().into_value());
            let (call_id, tool_id) = (call.call_id.clone(), call.tool_id.clone());
            // The calls run even if the reader is gone, because the model's message is in the history.
            let _ = self.send_event(TurnEvent::Called { call_id, tool_id, args }).await;
        }
        let answers = self.make(calls, watch).await;
        let told = self.send_answers(&answers).await;
        self.add(self.number, ChatMessage::Results { answers });
        told?;
        self.send_event(TurnEvent::StepEnded).await?;
        Ok(None)
    }

    /// The last step is requested without tools. If the provider still issues calls, the message is kept
    /// without them.
    async fn take_last(&mut self, reply: CompletedReply) -> Result<TurnOutcome, TurnAbort> {
        if reply.calls().next().is_none() {
            let CompletedReply { parts, original, ending, .. } = reply;
            self.add(self.number, ChatMessage::Model { parts, original });
            self.send_event(TurnEvent::StepEnded).await?;
            return Ok(ended(&ending));
        }
        let said = |part: &ReplyPart| !matches!(part, ReplyPart::Call { .. });
        let mut parts: Vec<_> = reply.parts.into_iter().filter(said).collect();
        parts.push(ReplyPart::Text { text: STEP_LIMIT.to_owned() });
        self.send_event(TurnEvent::Text(STEP_LIMIT.to_owned())).await?;
        self.add(self.number, ChatMessage::Model { parts, original: None });
        self.send_event(TurnEvent::StepEnded).await?;
        Ok(TurnOutcome::StepLimit)
    }

    /// Sends the request, and estimates its tokens.
    fn send(&self, tools: Tools) -> (Box<dyn ReplyStream>, ContextTokens) {
        let instructions = self.agent.instructions(&self.conversation, self.began_at);
        let declarations = instructions.declarations(self.agent.parts.model.declarations());
        let mut text = instructions.text();
        let declared: usize = declarations.iter().map(|one| tokens::of(&one.to_string())).sum();
        let window = self.agent.parts.limits.window_tokens;
        let before = tokens::of(&text) + declared;
        let compacted = compact(self.history.said(), window.saturating_sub(before));
        let context = ContextTokens::new(before - declared, declared, compacted.tokens);
        if let Some(left_out) = compacted.left_out() {
            text.push_str(&format!("\n{left_out}\n"));
        }
        if let Some(kept) = &self.kept {
            text.push_str(&format!("\n{KEPT} {kept}\n"));
        }
        let request = ModelRequest {
            instructions: &text,
            declarations: &declarations,
            messages: &compacted.messages,
            tools,
        };
        (self.agent.parts.model.begin(&request), context)
    }

    async fn cite(&mut self) -> Result<(), TurnAbort> {
        let sources = self.evidence.cited_in(&self.words);
        match sources.is_empty() {
            true => Ok(()),
            false => self.send_event(TurnEvent::Sources(sources)).await,
        }
    }

    /// Keeps the text before an early end, without the calls, which never ran.
    fn keep_partial(&mut self, parts: Vec<ReplyPart>) {
        if !parts.is_empty() {
            self.add(self.number, ChatMessage::Model { parts, original: None });
        }
    }

    fn add(&mut self, turn: u64, message: ChatMessage) {
        let now = self.agent.parts.clock.now_ms();
        self.history.add(LoggedMessage::new(turn, message), now);
    }

    /// Sends an event to the reader; waits while the reader is slow, and stops the turn if it is gone.
    async fn send_event(&self, event: TurnEvent) -> Result<(), TurnAbort> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(TurnAbort::Stopped),
            sent = self.events.send(event) => sent.map_err(|_| TurnAbort::Stopped),
        }
    }
}

fn ended(ending: &FinishReason) -> TurnOutcome {
    match ending {
        FinishReason::Answered | FinishReason::Calls => TurnOutcome::Answered,
        FinishReason::Length => TurnOutcome::Length,
        FinishReason::Refused(_) => TurnOutcome::Withheld,
    }
}
