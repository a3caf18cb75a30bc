//! The tasks of a call: begin, begin if confirmed, settle, refuse, abandon.

use std::sync::Arc;

use aileron_contract::{Outcome, ToolResponse};
use serde_json::Error as JsonError;

use super::rows::{self, Stage};
use super::shared::Shared;
use super::task::{After, Batch, Durability, Task};
use super::{closing, confirmations, leases};
use crate::audit::{entry, unfinished};
use crate::call::CallStart;
use crate::commit::{Commit, Reply};
use crate::document::Taken;
use crate::error::StoreError;
use crate::front::Front;
use crate::ledger::{Begun, Confirmed, Known, Ticket};

/// JSON of our own types; a failure is a fault of this program, not of the disk.
fn json(text: Result<String, JsonError>) -> rusqlite::Result<String> {
    text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Moves the row of a call on, or adds it. `false`: the row is not this store's to
/// move. A call that writes has its row from its begin; if it is gone, others closed it.
/// A read that is taken over from a process that died is closed first.
fn advance(batch: &mut Batch<'_>, call: &CallStart, stage: &Stage<'_>) -> rusqlite::Result<bool> {
    let me = &batch.shared.instance;
    let may_be_new =
        !call.writes() || matches!(stage, Stage::Started { .. } | Stage::Refused { .. });
    if may_be_new && rows::insert(batch.connection, me, call, stage)? {
        return Ok(true);
    }
    let row = rows::find(batch.connection, call.conversation(), &call.key)?;
    let Some(row) = row.filter(|row| row.is_running_here(me) || row.is_free(me)) else {
        return Ok(false);
    };
    rows::update(batch.connection, me, &row, call, stage)?;
    closing::record(batch, row.facts_of_the_dead(me))?;
    Ok(true)
}

fn enter(batch: &mut Batch<'_>, call: &CallStart) -> rusqlite::Result<bool> {
    let facts = json(serde_json::to_string(&unfinished(call, Outcome::ProcessDied)))?;
    advance(batch, call, &Stage::Started { facts: &facts })
}

/// Enters a call that someone waits for before running it.
struct Begin {
    call: Arc<CallStart>,
    reply: Reply<Begun>,
    /// Set if the call is known to the disk and must not run.
    known: Option<Known>,
    is_owner: bool,
}

impl Begin {
    fn new(call: Arc<CallStart>, reply: Reply<Begun>) -> Self {
        Self { call, reply, known: None, is_owner: true }
    }
}

impl Task for Begin {
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        self.known = None;
        self.is_owner = leases::is_owner(batch.connection, &self.call.scope)?;
        if self.is_owner && !enter(batch, &self.call)? {
            let row = rows::find(batch.connection, self.call.conversation(), &self.call.key)?;
            self.known = row.map(|row| row.known(&batch.shared.instance)).transpose()?;
        }
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut After<'_>) {
        if !self.is_owner {
            after.shared.front.withdraw(&self.call);
            return self.reply.send(Err(StoreError::not_owner(self.call.conversation())));
        }
        self.reply.send(Ok(match self.known {
            Some(known) => {
                after.shared.front.leave_to_disk(&self.call);
                Begun::Known(known)
            }
            None => Begun::Started(Ticket::new(self.call, after.shared.clone())),
        }));
    }

    fn failed(self: Box<Self>, shared: &Shared, error: &StoreError) -> Option<Box<dyn Task>> {
        shared.front.withdraw(&self.call);
        self.reply.send(Err(error.clone()));
        None
    }
}

/// A call that memory knows and that has not begun: it waits for its turn. Dropped, it never does.
pub(super) struct Reserved {
    shared: Arc<Shared>,
    call: Option<Arc<CallStart>>,
}

impl Reserved {
    pub(super) fn new(shared: Arc<Shared>, call: Arc<CallStart>) -> Self {
        Self { shared, call: Some(call) }
    }

    /// Enters the call.
    pub(super) fn begin(self) -> Commit<Begun> {
        self.submit(Begin::new)
    }

    /// Takes a confirmation at this time and enters the call.
    pub(super) fn begin_confirmed(self, taken: (String, u64)) -> Commit<Confirmed> {
        self.submit(|call, reply| BeginConfirmed::new(taken, call, reply))
    }

    fn submit<T, K: Task + 'static>(
        mut self,
        task: impl FnOnce(Arc<CallStart>, Reply<T>) -> K,
    ) -> Commit<T> {
        let Some(call) = self.call.take() else { return Commit::ready(Err(StoreError::Closed)) };
        let (reply, commit) = Commit::pending();
        // A task that is not taken has answered through its reply.
        let _ = self.shared.submit(Box::new(task(call, reply)), Durability::Immediate);
        commit
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.call.iter().for_each(|call| self.shared.front.withdraw(call));
    }
}

/// Takes a confirmation and enters the call it is about, or does neither.
struct BeginConfirmed {
    /// The confirmation, and when it is taken.
    taken: (String, u64),
    call: Arc<CallStart>,
    reply: Reply<Confirmed>,
    /// Set if the call must not run.
    not: Option<Confirmed>,
    is_owner: bool,
}

impl BeginConfirmed {
    fn new(taken: (String, u64), call: Arc<CallStart>, reply: Reply<Confirmed>) -> Self {
        Self { taken, call, reply, not: None, is_owner: true }
    }

    /// What the disk knows of the call, unless it may run.
    fn known(&self, batch: &Batch<'_>) -> rusqlite::Result<Option<Known>> {
        let me = &batch.shared.instance;
        let row = rows::find(batch.connection, self.call.conversation(), &self.call.key)?;
        let row = row.filter(|row| !row.is_running_here(me) && !row.is_free(me));
        row.map(|row| row.known(me)).transpose()
    }
}

impl Task for BeginConfirmed {
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        self.not = self.known(batch)?.map(|known| Confirmed::Begun(Begun::Known(known)));
        self.is_owner = self.not.is_some() || leases::is_owner(batch.connection, &self.call.scope)?;
        if self.not.is_some() || !self.is_owner {
            return Ok(());
        }
        let (token, now) = &self.taken;
        self.not = match confirmations::take(batch.connection, token, *now)? {
            Taken::Pending(_) => return enter(batch, &self.call).map(drop),
            Taken::Expired(pending) => Some(Confirmed::Expired(pending)),
            Taken::Unknown => Some(Confirmed::Unknown),
        };
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut After<'_>) {
        let front = &after.shared.front;
        if !self.is_owner {
            front.withdraw(&self.call);
            return self.reply.send(Err(StoreError::not_owner(self.call.conversation())));
        }
        self.reply.send(Ok(match self.not {
            None => Confirmed::Begun(Begun::Started(Ticket::new(self.call, after.shared.clone()))),
            Some(known @ Confirmed::Begun(_)) => {
                front.leave_to_disk(&self.call);
                known
            }
            Some(not) => {
                front.withdraw(&self.call);
                not
            }
        }));
    }

    fn failed(self: Box<Self>, shared: &Shared, error: &StoreError) -> Option<Box<dyn Task>> {
        shared.front.withdraw(&self.call);
        self.reply.send(Err(error.clone()));
        None
    }
}

/// Enters the reads that are running, so that a crash leaves a trace of them. One
/// that has ended meanwhile is entered by its settling. Failure does them no harm.
#[derive(Default)]
pub(super) struct EnterRunning {
    calls: Vec<Arc<CallStart>>,
}

impl EnterRunning {
    /// `None` if no read is running.
    pub(super) fn new(front: &Front) -> Option<Self> {
        let calls = front.take_begun();
        (!calls.is_empty()).then_some(Self { calls })
    }
}

impl Task for EnterRunning {
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        self.calls.extend(batch.shared.front.take_begun());
        self.calls.retain(|call| batch.shared.front.is_running(call));
        self.calls.iter().try_for_each(|call| enter(batch, call).map(drop))
    }

    fn committed(self: Box<Self>, _: &mut After<'_>) {}

    fn failed(self: Box<Self>, _: &Shared, _: &StoreError) -> Option<Box<dyn Task>> {
        None
    }
}

/// Completes a call: its row and its record.
pub(super) struct Settle {
    call: Arc<CallStart>,
    outcome: Outcome,
    answer: Arc<ToolResponse>,
    reply: Option<Reply<()>>,
    ours: bool,
}

impl Settle {
    /// With a reply if someone waits until it is durable.
    pub(super) fn new(
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
        reply: Option<Reply<()>>,
    ) -> Self {
        Self { call, outcome, answer, reply, ours: false }
    }
}

impl Task for Settle {
    /// A call that another process has closed or taken over has its record from there.
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        let answer = json(serde_json::to_string(&*self.answer))?;
        self.ours = advance(batch, &self.call, &Stage::Finished { answer: &answer })?;
        if self.ours {
            batch.record(&entry(&self.call, self.outcome.clone(), &self.answer))?;
        }
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut After<'_>) {
        let front = &after.shared.front;
        let lost = self.call.writes() && !self.ours;
        let kept = if lost {
            front.leave_to_disk(&self.call);
            Err(StoreError::Lost { call: self.call.call_id.to_string() })
        } else {
            if self.call.writes() {
                front.finish(&self.call, self.answer.clone());
            }
            after.recent.push(front, self.call, &self.answer);
            Ok(())
        };
        self.reply.into_iter().for_each(|reply| reply.send(kept.clone()));
    }

    /// The call has run, so its record is owed: it stays in the queue.
    fn failed(mut self: Box<Self>, shared: &Shared, error: &StoreError) -> Option<Box<dyn Task>> {
        if self.call.writes() {
            shared.front.abandon(&self.call);
        }
        self.reply.take().into_iter().for_each(|reply| reply.send(Err(error.clone())));
        Some(self)
    }
}

/// What is kept of a call that never began, beside its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Its answer, under its key, which is claimed in memory.
    Claimed,
    /// Nothing: the key names another call, or the call may be decided about anew.
    RecordOnly,
}

/// Answers a call that never began: its row, if it keeps one, and its record.
pub(super) struct Refuse {
    call: Arc<CallStart>,
    kept: Kept,
    outcome: Outcome,
    answer: Arc<ToolResponse>,
    reply: Option<Reply<()>>,
    ours: bool,
}

impl Refuse {
    /// With a reply if someone waits until it is durable.
    pub(super) fn new(
        (call, kept): (Arc<CallStart>, Kept),
        outcome: Outcome,
        answer: Arc<ToolResponse>,
        reply: Option<Reply<()>>,
    ) -> Self {
        Self { call, kept, outcome, answer, reply, ours: false }
    }
}

impl Task for Refuse {
    /// A call that another process has under this key keeps its row.
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        if self.kept == Kept::Claimed {
            let answer = json(serde_json::to_string(&*self.answer))?;
            self.ours = advance(batch, &self.call, &Stage::Refused { answer: &answer })?;
        }
        batch.record(&entry(&self.call, self.outcome.clone(), &self.answer))
    }

    fn committed(self: Box<Self>, after: &mut After<'_>) {
        let front = &after.shared.front;
        match self.kept {
            Kept::Claimed if self.ours => {
                front.finish(&self.call, self.answer.clone());
                after.recent.push(front, self.call, &self.answer);
            }
            Kept::Claimed => front.leave_to_disk(&self.call),
            Kept::RecordOnly => {}
        }
        self.reply.into_iter().for_each(|reply| reply.send(Ok(())));
    }

    /// The call was answered, so its record is owed: it stays in the queue, and memory answers until
    /// it is written.
    fn failed(mut self: Box<Self>, shared: &Shared, error: &StoreError) -> Option<Box<dyn Task>> {
        if self.kept == Kept::Claimed {
            shared.front.finish(&self.call, self.answer.clone());
        }
        self.reply.take().into_iter().for_each(|reply| reply.send(Err(error.clone())));
        Some(self)
    }
}

/// Closes a call whose ticket was dropped.
pub(super) struct Abandon {
    call: Arc<CallStart>,
    outcome: Outcome,
}

impl Abandon {
    pub(super) fn new(call: Arc<CallStart>, outcome: Outcome) -> Self {
        Self { call, outcome }
    }
}

impl Task for Abandon {
    /// A call that others have closed has its record from there.
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        let row = rows::find(batch.connection, self.call.conversation(), &self.call.key)?;
        let is_closed = row.is_some_and(|row| !row.is_running_here(&batch.shared.instance));
        if !is_closed && advance(batch, &self.call, &Stage::Abandoned)? {
            batch.record(&unfinished(&self.call, self.outcome.clone()))?;
        }
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut After<'_>) {
        after.shared.front.leave_to_disk(&self.call);
    }

    fn failed(self: Box<Self>, _: &Shared, _: &StoreError) -> Option<Box<dyn Task>> {
        Some(self)
    }
}
