//! Random operations on both stores: the same answers, the same chain.

use std::collections::HashMap;
use std::sync::Arc;

use aileron_contract::{ErrorType, Outcome};
use aileron_store::{
    AuditFilter, BeginConfirmedResult, BeginResult, ConfirmationFilter, Counter, Lease,
    MemoryStore, OwnerFilter, PendingConfirmation, RecentCursor, SqliteOptions, SqliteStore, Store,
    TakeRecord, Ticket,
};
use proptest::prelude::*;
use serde_json::json;

use crate::sample::{self, READS, WRITES, call, conversation, user};
use crate::subject::{Disk, refuse, state, word};

#[derive(Debug, Clone)]
enum Op {
    Lookup(u8, u8),
    Begin(u8, u8, u64),
    Settle(u8, u8, bool),
    Drop(u8, u8),
    /// Stored under its key, so that it is the answer from then on.
    Refuse(u8, u8, u64),
    RecordRefusal(u8, u64),
    Put(u8, u8, u64),
    Take(u8, u64),
    Confirm(u8, u8, u8, u64),
    Count(u8, u64),
    WaitToCount(u8, u64, u64),
    Waiting(u8, u64),
    Block(u8, u64),
    Unblock(u8),
    Save(u8, u64, u64),
    Load(u8),
    Delete(u8),
    List(u8, usize),
    Append(u8, u64, usize),
    Page(u8, u64, usize),
    Expire(u64, u64),
    Forget(u64, u64),
    Prune(u64),
    Audit(Box<AuditFilter>),
    Reopen,
}

fn op() -> impl Strategy<Value = Op> {
    let (id, key, time) = (0..2_u8, 0..5_u8, 0..40_u64);
    prop_oneof![
        6 => (id.clone(), key.clone()).prop_map(|(c, k)| Op::Lookup(c, k)),
        8 => (id.clone(), key.clone(), time.clone()).prop_map(|(c, k, t)| Op::Begin(c, k, t)),
        8 => (id.clone(), key.clone(), any::<bool>()).prop_map(|(c, k, ok)| Op::Settle(c, k, ok)),
        2 => (id.clone(), key.clone()).prop_map(|(c, k)| Op::Drop(c, k)),
        3 => (id.clone(), key.clone(), time.clone()).prop_map(|(c, k, t)| Op::Refuse(c, k, t)),
        2 => (id.clone(), time.clone()).prop_map(|(c, t)| Op::RecordRefusal(c, t)),
        3 => (key.clone(), id.clone(), time.clone()).prop_map(|(k, c, t)| Op::Put(k, c, t)),
        3 => (key.clone(), time.clone()).prop_map(|(k, t)| Op::Take(k, t)),
        3 => (key.clone(), id.clone(), key.clone(), time.clone())
            .prop_map(|(token, c, k, t)| Op::Confirm(token, c, k, t)),
        3 => (id.clone(), time.clone()).prop_map(|(c, t)| Op::Count(c, t)),
        1 => (id.clone(), 0..3_u64, time.clone()).prop_map(|(c, n, t)| Op::WaitToCount(c, n, t)),
        1 => (id.clone(), time.clone()).prop_map(|(c, t)| Op::Waiting(c, t)),
        2 => (id.clone(), time.clone()).prop_map(|(u, t)| Op::Block(u, t)),
        1 => id.clone().prop_map(Op::Unblock),
        2 => (key.clone(), 0..3_u64, time.clone()).prop_map(|(k, n, t)| Op::Save(k, n, t)),
        1 => key.clone().prop_map(Op::Load),
        1 => key.clone().prop_map(Op::Delete),
        1 => (key, 0..4_usize).prop_map(|(k, limit)| Op::List(k, limit)),
        3 => (id.clone(), 0..6_u64, 0..3_usize).prop_map(|(c, after, n)| Op::Append(c, after, n)),
        1 => (id, 0..9_u64, 0..4_usize).prop_map(|(c, before, n)| Op::Page(c, before, n)),
        2 => (time.clone(), 0..20_u64).prop_map(|(now, keep)| Op::Expire(now, keep)),
        1 => (time.clone(), time.clone()).prop_map(|(before, now)| Op::Forget(before, now)),
        1 => time.clone().prop_map(Op::Prune),
        1 => filter(time).prop_map(|filter| Op::Audit(Box::new(filter))),
        2 => Just(Op::Reopen),
    ]
}

fn filter(time: std::ops::Range<u64>) -> impl Strategy<Value = AuditFilter> {
    let outcome = prop::sample::select(vec!["refused", "refused:loops", "completed", "cancelled"]);
    let limit = prop::option::of(0..5_usize);
    (prop::option::of(time), prop::option::of(0..2_u8), prop::option::of(outcome), 0..9_u64, limit)
        .prop_map(|(since, id, outcome, from, limit)| AuditFilter {
            since,
            conversation: id.map(|id| conversation(&id.to_string())),
            outcome: outcome.map(str::to_owned),
            from,
            limit,
            ..Default::default()
        })
}

fn counter(id: u8) -> Counter {
    Counter { name: id.to_string(), calls: u64::from(id) + 1, window_ms: 10 }
}

/// Every other conversation is Ada's.
fn owner(id: u8) -> Option<aileron_contract::UserId> {
    id.is_multiple_of(2).then(|| user("ada"))
}

/// A store with its open tickets, and the answer of each operation as text.
struct Subject {
    store: Box<dyn Store>,
    tickets: HashMap<(u8, u8), Ticket>,
    reopen: Box<dyn Fn() -> Option<Box<dyn Store>>>,
}

impl Subject {
    fn apply(&mut self, op: &Op) -> String {
        match op {
            Op::Lookup(id, key) => state(&*self.store, &id.to_string(), &key.to_string()),
            Op::Begin(id, key, time) => self.begin(*id, *key, *time),
            Op::Settle(id, key, ok) => self.settle(*id, *key, *ok),
            Op::Confirm(token, id, key, now) => self.confirm(*token, *id, *key, *now),
            Op::Drop(id, key) => format!("{}", self.tickets.remove(&(*id, *key)).is_some()),
            Op::Refuse(id, key, time) => self.refuse(*id, *key, *time),
            Op::RecordRefusal(id, time) => {
                refuse(&*self.store, &call(&id.to_string(), "x", READS, *time), "loops");
                String::new()
            }
            Op::Expire(now, keep) => text(self.store.expire(*now, *keep).wait()),
            Op::Forget(before, now) => text(self.store.forget_conversations(*before, *now).wait()),
            Op::Prune(before) => text(self.store.prune_audit(*before).wait()),
            Op::Audit(filter) => self.audit(filter),
            Op::Reopen => self.reopen(),
            other => self.keep(other),
        }
    }

    fn begin(&mut self, id: u8, key: u8, time: u64) -> String {
        let effects = if key.is_multiple_of(2) { READS } else { WRITES };
        let call = call(&id.to_string(), &key.to_string(), effects, time);
        match self.store.begin(call).wait().unwrap() {
            BeginResult::Started(ticket) => {
                self.tickets.insert((id, key), ticket);
                "started".to_owned()
            }
            BeginResult::Known(known) => word(&known),
        }
    }

    fn refuse(&mut self, id: u8, key: u8, time: u64) -> String {
        let effects = if key.is_multiple_of(2) { READS } else { WRITES };
        let call = call(&id.to_string(), &key.to_string(), effects, time);
        let answer = sample::failure(&call, ErrorType::BudgetExceeded, "no more");
        text(self.store.refuse(call, Outcome::refused_by("budgets"), answer).wait())
    }

    fn confirm(&mut self, token: u8, id: u8, key: u8, now: u64) -> String {
        let effects = if key.is_multiple_of(2) { READS } else { WRITES };
        let call = call(&id.to_string(), &key.to_string(), effects, now);
        match self
            .store
            .begin_confirmed(&token.to_string(), now, call, Arc::default())
            .wait()
            .unwrap()
        {
            BeginConfirmedResult::Begun(BeginResult::Started(ticket)) => {
                self.tickets.insert((id, key), ticket);
                "started".to_owned()
            }
            BeginConfirmedResult::Begun(BeginResult::Known(known)) => word(&known),
            not => text(not),
        }
    }

    fn settle(&mut self, id: u8, key: u8, ok: bool) -> String {
        let Some(ticket) = self.tickets.remove(&(id, key)) else { return String::new() };
        let answer = match ok {
            true => sample::success(ticket.call(), json!({"results": [key, 1.5]})),
            false => sample::failure(ticket.call(), ErrorType::Transient, "later"),
        };
        text(self.store.settle(ticket, Outcome::Completed, answer).wait())
    }

    fn keep(&mut self, op: &Op) -> String {
        let (store, body) = (&self.store, Arc::new(json!({"n": 1})));
        match op {
            Op::Put(token, id, expires) => text(
                store
                    .put_confirmation(PendingConfirmation {
                        token: token.to_string(),
                        conversation: conversation(&id.to_string()),
                        user: None,
                        expires: *expires,
                        body,
                    })
                    .wait(),
            ),
            Op::Take(token, now) => {
                let record = match token.is_multiple_of(2) {
                    true => TakeRecord::Withdrawn,
                    false => TakeRecord::Decided(Arc::new(json!(token))),
                };
                let (token, scope) = (token.to_string(), sample::scope("c"));
                text(store.take_confirmation(&token, *now, &scope, record).wait())
            }
            Op::Count(id, now) => text(store.count_call(&counter(*id), *now).wait()),
            Op::WaitToCount(id, more, now) => text(store.wait_to_count(&counter(*id), *more, *now)),
            Op::Waiting(id, now) => {
                let conversation = conversation(&id.to_string());
                let one = ConfirmationFilter {
                    owner: OwnerFilter::Of(None),
                    conversation: Some(conversation.clone()),
                };
                let listed = [ConfirmationFilter::default(), one].map(|filter| {
                    let open = store.open_confirmations(&filter, *now, 3).wait();
                    (open, store.decided_confirmations(&filter, *now, 3).wait())
                });
                text((store.confirmations(&conversation, *now).wait(), listed))
            }
            Op::Block(id, until) => {
                store.block(&user(&id.to_string()), *until).wait().unwrap();
                text(store.blocked_until(&user(&id.to_string())))
            }
            Op::Unblock(id) => text(store.unblock(&user(&id.to_string())).wait()),
            Op::Save(id, version, now) => text(
                store
                    .save_conversation(
                        &conversation(&id.to_string()),
                        Lease::unowned().at(*version),
                        owner(*id).as_ref(),
                        body,
                        *now,
                    )
                    .wait(),
            ),
            Op::Load(id) => text(store.load_conversation(&conversation(&id.to_string())).wait()),
            Op::Delete(id) => {
                text(store.delete_conversation(&conversation(&id.to_string())).wait())
            }
            Op::List(after, limit) => {
                let after =
                    RecentCursor { time: 50, conversation: conversation(&after.to_string()) };
                let owners = [None, Some(user("ada"))].map(OwnerFilter::Of);
                let pages = [OwnerFilter::Everybody].into_iter().chain(owners);
                let pages: Vec<_> = pages
                    .map(|owner| store.conversations(&owner, Some(&after), *limit).wait())
                    .collect();
                text(pages)
            }
            Op::Append(id, after, count) => {
                let (id, bodies) = (conversation(&id.to_string()), vec![body; *count]);
                text(store.append_messages(&id, *after, bodies, 1).wait())
            }
            Op::Page(id, before, limit) => {
                text(store.messages(&conversation(&id.to_string()), *before, *limit).wait())
            }
            other => panic!("{other:?} is applied elsewhere"),
        }
    }

    fn audit(&self, filter: &AuditFilter) -> String {
        self.store.flush().wait().unwrap();
        let records: Vec<_> = self.store.audit(filter.clone()).collect();
        format!("{records:?} {:?}", self.store.verify_audit())
    }

    /// Only without open tickets: in memory there is nothing to close.
    fn reopen(&mut self) -> String {
        if self.tickets.is_empty()
            && let Some(store) = (self.reopen)()
        {
            drop(std::mem::replace(&mut self.store, store));
        }
        String::new()
    }
}

fn text(value: impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// A few cases by default; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").map(|_| ProptestConfig::default().cases);
    let cases = asked.unwrap_or(40);
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn both_stores_answer_alike(
        ops in prop::collection::vec(op(), 1..60),
        memory_bytes in prop::sample::select(vec![0, 8192, 1 << 20]),
    ) {
        let disk = Arc::new(Disk::new());
        let open = {
            let disk = disk.clone();
            move || -> Box<dyn Store> {
                let options = SqliteOptions { memory_bytes, ..Default::default() };
                Box::new(SqliteStore::open(disk.path(), options).unwrap())
            }
        };
        let mut sqlite = Subject {
            store: open(),
            tickets: HashMap::new(),
            reopen: Box::new(move || Some(open())),
        };
        let mut memory = Subject {
            store: Box::new(MemoryStore::new()),
            tickets: HashMap::new(),
            reopen: Box::new(|| None),
        };
        for op in &ops {
            prop_assert_eq!(memory.apply(op), sqlite.apply(op), "{:?}", op);
        }
        let all = AuditFilter::default();
        prop_assert_eq!(memory.audit(&all), sqlite.audit(&all));
    }
}
