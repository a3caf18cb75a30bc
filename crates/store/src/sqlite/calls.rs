//! The tasks of a call: begin, begin if confirmed, settle, refuse, abandon.

mod begin_confirmed;

use std::sync::Arc;

use aileron_contract::{Outcome, ToolResponse};
use serde_json::Error as JsonError;

use self::begin_confirmed::BeginConfirmed;
use super::confirmations::Take;
use super::rows::{self, Stage};
use super::shared::StoreShared;
use super::task::{AfterCommit, Durability, Task, WriteBatch};
use super::{leases, recovery};
use crate::audit::{entry, unfinished};
use crate::call::CallStart;
use crate::error::StoreError;
use crate::ledger::{BeginConfirmedResult, BeginResult, CallStatus, Ticket};
use crate::ledger_cache::LedgerCache;
use crate::pending_write::{PendingWrite, WriteCompleter};

/// JSON of our own types; a failure is a defect of this program, not of the disk.
fn json(text: Result<String, JsonError>) -> rusqlite::Result<String> {
    text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Updates the row of a call, or adds it. Returns `false` if the row belongs to another process. A
/// call that writes has a row from its start; if the row is gone, another process closed it. A read
/// that is taken over from a process that died is closed first.
fn advance(
    batch: &mut WriteBatch<'_>,
    call: &CallStart,
    stage: &Stage<'_>,
) -> rusqlite::Result<bool> {
    let me = &batch.shared.instance;
    let may_be_new =
        !call.writes() || matches!(stage, Stage::Started { .. } | Stage::Refused { .. });
    if may_be_new && rows::insert(batch.connection, me, call, stage)? {
        return Ok(true);
    }
    let row = rows::find(batch.connection, call.conversation(), &call.key)?;
    let Some(row) = row.filter(|row| row.is_running_here(me) || row.may_run_again(me)) else {
        return Ok(false);
    };
    rows::update(batch.connection, me, &row, call, stage)?;
    recovery::record(batch, row.facts_if_owner_died(me))?;
    Ok(true)
}

fn enter(batch: &mut WriteBatch<'_>, call: &CallStart) -> rusqlite::Result<bool> {
    let facts = json(serde_json::to_string(&unfinished(call, Outcome::ProcessDied)))?;
    advance(batch, call, &Stage::Started { facts: &facts })
}

/// Enters a call before it runs; the caller waits for it.
struct BeginCall {
    call: Arc<CallStart>,
    reply: WriteCompleter<BeginResult>,
    /// Set if the disk knows the call and it must not run.
    known: Option<CallStatus>,
    is_owner: bool,
}

impl BeginCall {
    fn new(call: Arc<CallStart>, reply: WriteCompleter<BeginResult>) -> Self {
        Self { call, reply, known: None, is_owner: true }
    }
}

impl Task for BeginCall {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.known = None;
        self.is_owner = leases::is_owner(batch.connection, &self.call.scope)?;
        if self.is_owner && !enter(batch, &self.call)? {
            let row = rows::find(batch.connection, self.call.conversation(), &self.call.key)?;
            self.known = row.map(|row| row.known(&batch.shared.instance)).transpose()?;
        }
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        if !self.is_owner {
            after.shared.cache.withdraw(&self.call);
            return self.reply.send(Err(StoreError::not_owner(self.call.conversation())));
        }
        self.reply.send(Ok(match self.known {
            Some(known) => {
                after.shared.cache.leave_to_disk(&self.call);
                BeginResult::Known(known)
            }
            None => BeginResult::Started(Ticket::new(self.call, after.shared.clone())),
        }));
    }

    fn failed(self: Box<Self>, shared: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        shared.cache.withdraw(&self.call);
        self.reply.send(Err(error.clone()));
        None
    }
}

/// A call that memory knows and that has not started: it starts when its handle is first polled. If
/// this is dropped, the call never starts.
pub(super) struct ReservedCall {
    shared: Arc<StoreShared>,
    call: Option<Arc<CallStart>>,
}

impl ReservedCall {
    pub(super) fn new(shared: Arc<StoreShared>, call: Arc<CallStart>) -> Self {
        Self { shared, call: Some(call) }
    }

    /// Enters the call, so that it may run.
    pub(super) fn begin(self) -> PendingWrite<BeginResult> {
        self.submit(BeginCall::new)
    }

    /// Takes a confirmation at this time and enters the call.
    pub(super) fn begin_confirmed(self, taken: Take) -> PendingWrite<BeginConfirmedResult> {
        self.submit(|call, reply| BeginConfirmed::new(taken, call, reply))
    }

    fn submit<T, K: Task + 'static>(
        mut self,
        task: impl FnOnce(Arc<CallStart>, WriteCompleter<T>) -> K,
    ) -> PendingWrite<T> {
        let Some(call) = self.call.take() else {
            return PendingWrite::failed(StoreError::Closed);
        };
        self.shared.ask(Durability::Immediate, |completer| task(call, completer))
    }
}

impl Drop for ReservedCall {
    fn drop(&mut self) {
        self.call.iter().for_each(|call| self.shared.cache.withdraw(call));
    }
}

/// Enters the reads that are running, so that a crash leaves a trace of them. A read that ends
/// before that is entered when it is settled. If this fails, the reads are not affected.
#[derive(Default)]
pub(super) struct EnterRunning {
    calls: Vec<Arc<CallStart>>,
}

impl EnterRunning {
    /// `None` if no read is running.
    pub(super) fn new(cache: &LedgerCache) -> Option<Self> {
        let calls = cache.take_begun();
        (!calls.is_empty()).then_some(Self { calls })
    }
}

impl Task for EnterRunning {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.calls.extend(batch.shared.cache.take_begun());
        self.calls.retain(|call| batch.shared.cache.is_running(call));
        self.calls.iter().try_for_each(|call| enter(batch, call).map(drop))
    }

    fn committed(self: Box<Self>, _: &mut AfterCommit<'_>) {}

    fn failed(self: Box<Self>, _: &StoreShared, _: &StoreError) -> Option<Box<dyn Task>> {
        None
    }
}

/// Completes a call: its row and its record.
pub(super) struct Settle {
    call: Arc<CallStart>,
    outcome: Outcome,
    answer: Arc<ToolResponse>,
    reply: Option<WriteCompleter<()>>,
    ours: bool,
}

impl Settle {
    /// `reply` is set if a caller waits until the task is durable.
    pub(super) fn new(
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
        reply: Option<WriteCompleter<()>>,
    ) -> Self {
        Self { call, outcome, answer, reply, ours: false }
    }
}

impl Task for Settle {
    /// If another process has closed the call or taken it over, that process has recorded it.
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        let answer = json(serde_json::to_string(&*self.answer))?;
        self.ours = advance(batch, &self.call, &Stage::Finished { answer: &answer })?;
        if self.ours {
            batch.record(&entry(&self.call, self.outcome.clone(), &self.answer))?;
        }
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        let cache = &after.shared.cache;
        let lost = self.call.writes() && !self.ours;
        let kept = if lost {
            cache.leave_to_disk(&self.call);
            Err(StoreError::Lost { call: self.call.call_id.to_string() })
        } else {
            if self.call.writes() {
                cache.finish(&self.call, self.answer.clone());
            }
            after.recent.push(cache, self.call, &self.answer);
            Ok(())
        };
        self.reply.into_iter().for_each(|reply| reply.send(kept.clone()));
    }

    /// The call has run and must be recorded, so the task stays in the queue.
    fn failed(
        mut self: Box<Self>,
        shared: &StoreShared,
        error: &StoreError,
    ) -> Option<Box<dyn Task>> {
        if self.call.writes() {
            shared.cache.abandon(&self.call);
        }
        self.reply.take().into_iter().for_each(|reply| reply.send(Err(error.clone())));
        Some(self)
    }
}

/// The part of a refused call that is stored besides its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptAnswer {
    /// The answer, under the call's key, which is claimed in memory.
    Claimed,
    /// Nothing: the key belongs to another call, or the call may be decided about again.
    RecordOnly,
}

/// Stores a call that never started: its row, if the answer is kept, and its record.
pub(super) struct Refuse {
    call: Arc<CallStart>,
    kept: KeptAnswer,
    outcome: Outcome,
    answer: Arc<ToolResponse>,
    reply: Option<WriteCompleter<()>>,
    ours: bool,
}

impl Refuse {
    /// `reply` is set if a caller waits until the task is durable.
    pub(super) fn new(
        (call, kept): (Arc<CallStart>, KeptAnswer),
        outcome: Outcome,
        answer: Arc<ToolResponse>,
        reply: Option<WriteCompleter<()>>,
    ) -> Self {
        Self { call, kept, outcome, answer, reply, ours: false }
    }
}

impl Task for Refuse {
    /// If another process has a call with this key, that call keeps its row.
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        if self.kept == KeptAnswer::Claimed {
            let answer = json(serde_json::to_string(&*self.answer))?;
            self.ours = advance(batch, &self.call, &Stage::Refused { answer: &answer })?;
        }
        batch.record(&entry(&self.call, self.outcome.clone(), &self.answer))
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        let cache = &after.shared.cache;
        match self.kept {
            KeptAnswer::Claimed if self.ours => {
                cache.finish(&self.call, self.answer.clone());
                after.recent.push(cache, self.call, &self.answer);
            }
            KeptAnswer::Claimed => cache.leave_to_disk(&self.call),
            KeptAnswer::RecordOnly => {}
        }
        self.reply.into_iter().for_each(|reply| reply.send(Ok(())));
    }

    /// The call was answered and must be recorded, so the task stays in the queue. Memory answers
    /// until it is written.
    fn failed(
        mut self: Box<Self>,
        shared: &StoreShared,
        error: &StoreError,
    ) -> Option<Box<dyn Task>> {
        if self.kept == KeptAnswer::Claimed {
            shared.cache.finish(&self.call, self.answer.clone());
        }
        self.reply.take().into_iter().for_each(|reply| reply.send(Err(error.clone())));
        Some(self)
    }
}

/// Closes a call whose ticket was dropped.
pub(super) struct AbandonCall {
    call: Arc<CallStart>,
    outcome: Outcome,
}

impl AbandonCall {
    pub(super) fn new(call: Arc<CallStart>, outcome: Outcome) -> Self {
        Self { call, outcome }
    }
}

impl Task for AbandonCall {
    /// If another process has closed the call, that process has recorded it.
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        let row = rows::find(batch.connection, self.call.conversation(), &self.call.key)?;
        let is_closed = row.is_some_and(|row| !row.is_running_here(&batch.shared.instance));
        if !is_closed && advance(batch, &self.call, &Stage::Abandoned)? {
            batch.record(&unfinished(&self.call, self.outcome.clone()))?;
        }
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        after.shared.cache.leave_to_disk(&self.call);
    }

    fn failed(self: Box<Self>, _: &StoreShared, _: &StoreError) -> Option<Box<dyn Task>> {
        Some(self)
    }
}
