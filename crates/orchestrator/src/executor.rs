//! Runs the handlers of admitted calls: reads concurrently, writes in order and alone, each under its
//! deadline and with retries. Owns the list of running calls and the write lock; knows no policy.

mod deadline;
mod retry;
mod run;

use std::sync::Arc;

use aileron_capability::{ContextParts, HandlerEnd, ToolError};
use aileron_contract::{ErrorType, Outcome};

pub(crate) use self::run::{CallRun, PendingStart, RunReport, WriteTurn};
use crate::conversation_info::ConversationInfo;
use crate::event::ConversationEvent;
use crate::handler_view::{HandlerHost, HandlerView};
use crate::invocation::Invocation;
use crate::nested::{ChildNumbers, ParentCall};
use crate::partial_bounds::PartialBounds;
use crate::running::RunningCalls;
use crate::task::TaskOwner;

const WITHDRAWN: &str = "the call was taken back before it began";

#[derive(Debug)]
pub(crate) struct Executor {
    info: Arc<ConversationInfo>,
    running: Arc<RunningCalls>,
    /// Held while a call that writes runs: they run one at a time.
    write_lock: Arc<tokio::sync::Mutex<()>>,
}

impl Executor {
    pub(crate) fn new(info: Arc<ConversationInfo>) -> Self {
        let (in_flight, tasks) = (info.services.in_flight.clone(), info.services.tasks.clone());
        let owner =
            TaskOwner { conversation: info.id.clone(), person: info.person.block_id(&info.id) };
        let running = Arc::new(RunningCalls::new(in_flight, tasks, owner));
        Self { info, running, write_lock: Arc::default() }
    }

    pub(crate) fn running(&self) -> &Arc<RunningCalls> {
        &self.running
    }

    /// Waits until a call may run: a call that writes waits until no other write runs.
    pub(crate) async fn alone(&self, invocation: &Invocation) -> WriteTurn {
        match invocation.call.writes() {
            true => WriteTurn::holding(self.write_lock(invocation).clone().lock_owned().await),
            false => WriteTurn::default(),
        }
    }

    /// The same without waiting; `None` while another write runs.
    pub(crate) fn try_alone(&self, invocation: &Invocation) -> Option<WriteTurn> {
        match invocation.call.writes() {
            true => {
                self.write_lock(invocation).clone().try_lock_owned().ok().map(WriteTurn::holding)
            }
            false => Some(WriteTurn::default()),
        }
    }

    /// A nested call waits only for the other writes of its parent, which holds the conversation's
    /// lock.
    fn write_lock<'a>(&'a self, invocation: &'a Invocation) -> &'a Arc<tokio::sync::Mutex<()>> {
        invocation.parent.as_ref().map_or(&self.write_lock, |parent| &parent.write_lock)
    }

    /// Runs the handler, with retries, until it ends or is stopped.
    pub(crate) async fn execute(&self, run: &CallRun, host: &Arc<dyn HandlerHost>) -> RunReport {
        if !run.running.stage.has_started() {
            let error = ToolError::new(ErrorType::Cancelled, WITHDRAWN);
            let outcome = Outcome::Cancelled;
            let ending =
                HandlerEnd { result: Err(error), outcome, defect: None, warnings: Vec::new() };
            return RunReport { ending, attempts: 0, duration_ms: 0 };
        }
        let Invocation { call, entry, args, parent, .. } = &run.invocation;
        self.info.publish(|| ConversationEvent::Started {
            call_id: call.call_id.clone(),
            tool: call.tool_id.clone(),
        });
        let services = &self.info.services;
        let began = services.now();
        let deadline = deadline::of(&services.config, run, began);
        let numbers = entry.calls_tools.then(Arc::<ChildNumbers>::default);
        let mut attempts = 0;
        let ending = loop {
            attempts += 1;
            let as_parent = numbers.clone().map(|numbers| {
                Arc::new(ParentCall::new(call, entry, parent.clone(), deadline, numbers))
            });
            let surroundings = self.surroundings(run, deadline, as_parent, host);
            let work = entry.tool.run(args.clone(), surroundings);
            let cancel = &run.running.stage.cancel;
            let ending = deadline::race(&*services.clock, work, deadline, cancel).await;
            let retry_at = retry::retry_at(services, run, &ending, attempts, deadline);
            let Some(retry_at) = retry_at else { break ending };
            let call_id = call.call_id.clone();
            self.info.publish(|| ConversationEvent::Retrying { call_id, at: retry_at });
            if !retry::wait(&*services.clock, retry_at, cancel).await {
                break ending;
            }
        };
        RunReport { ending, attempts, duration_ms: services.now().saturating_sub(began) }
    }

    fn surroundings(
        &self,
        run: &CallRun,
        deadline: u64,
        as_parent: Option<Arc<ParentCall>>,
        host: &Arc<dyn HandlerHost>,
    ) -> ContextParts {
        let Invocation { call, entry, parent, .. } = &run.invocation;
        let info = &self.info;
        ContextParts {
            caller: info.caller(call, entry, run.mode),
            platform: info.services.platform.clone(),
            conversation: Arc::new(HandlerView {
                info: info.clone(),
                host: host.clone(),
                parent: as_parent,
                partial: PartialBounds::default(),
                task: run.running.stage.task.clone(),
            }),
            clock: info.services.clock.clone(),
            deadline,
            cancel: run.running.stage.cancel.clone(),
            user: Some(info.user_view.clone()),
            depth: parent.as_ref().map_or(0, |parent| parent.depth()),
        }
    }
}
