//! The work loop of a thread.

use aileron_capability::foreign::HandlerFault;
use std::sync::Arc;

use serde_json::Value;

use super::ThreadsShared;
use super::loading::{load, prepare_gate};
use super::queue::{BackgroundWork, Job, Work};
use super::runner::{Runner, WorkItem};
use super::task::{NextSlice, Task};
use crate::fault::LoadError;
use crate::instance::{Instance, SliceResult};
use crate::script::{LocalScript, Script};

/// Works until the queue closes, or until the thread returns after being abandoned and is not
/// needed.
pub(super) fn run(shared: &Arc<ThreadsShared>, runner: &Arc<Runner>) {
    let mut load_test = None;
    runner.begin();
    while let Some(work) = shared.queue.next(runner.role) {
        match work {
            Work::Job(Job::Step(task)) => step(shared, runner, &task),
            Work::Job(Job::Load(loading)) => load(shared, runner, &mut load_test, &loading),
            Work::Chore(background_work) => do_chore(shared, runner, background_work),
        }
        shared.free.notify_all();
        if runner.is_abandoned() && !shared.reinstate(runner) {
            return;
        }
    }
}

/// One slice of a call.
fn step(shared: &Arc<ThreadsShared>, runner: &Runner, task: &Arc<Task>) {
    let (mut instance, replies) = match task.turn() {
        NextSlice::Begin => (None, None),
        NextSlice::Resume(instance, replies) => (Some(instance), Some(replies)),
        NextSlice::Over(instance) => {
            match task.time_limits().stopped() {
                Some(stop) => task.finish(Err(stop.into())),
                None => task.fail_as_lost(),
            }
            return instance.into_iter().for_each(|instance| discard(shared, instance));
        }
    };
    let progress =
        runner.run_watched(task.time_limits(), WorkItem::Call(task.clone()), || {
            match (&instance, replies) {
                (Some(instance), Some(replies)) => instance.resume(task.time_limits(), replies),
                _ => match prepared(shared, task) {
                    Ok(fresh) => {
                        instance.insert(fresh).start(task.attached_call.clone(), &task.input)
                    }
                    Err(fault) => SliceResult::Finished(Err(fault)),
                },
            }
        });
    match (progress, instance) {
        (Some(SliceResult::Finished(outcome)), instance) => end(shared, task, outcome, instance),
        (Some(SliceResult::Waiting), Some(instance)) => {
            task.park(instance).into_iter().for_each(|instance| discard(shared, instance));
        }
        (_, instance) => fail_as_lost(runner, task, instance),
    }
}

/// A sandbox for the call: a prepared one, or a new one within the limits of the call.
fn prepared(shared: &ThreadsShared, task: &Task) -> Result<Instance, HandlerFault> {
    let local = task.script.local().ok_or(HandlerFault::EngineLost)?;
    if let Some(instance) = local.take() {
        return Ok(instance);
    }
    let built = local
        .program()
        .and_then(|program| Instance::build(&program, &shared.options.limits, task.time_limits()));
    built.map_err(|error| match error {
        LoadError::TopLevel { fault, .. } => fault,
        error => HandlerFault::error("Error", error.to_string()),
    })
}

/// Answers first and cleans up afterwards.
fn end(
    shared: &ThreadsShared,
    task: &Task,
    outcome: Result<Value, HandlerFault>,
    instance: Option<Instance>,
) {
    task.finish(outcome);
    instance.into_iter().for_each(|instance| discard(shared, instance));
    if let Some(local) = task.script.local() {
        refill(shared, &task.script, local);
    }
}

/// The thread panicked, or has returned after being abandoned. A panic leaves the sandbox in an
/// unknown state; it is leaked, because freeing it could crash the process.
fn fail_as_lost(runner: &Runner, task: &Task, instance: Option<Instance>) {
    task.fail_as_lost();
    if !runner.is_abandoned() {
        std::mem::forget(instance);
    }
}

fn discard(shared: &ThreadsShared, instance: Instance) {
    drop(shared.queue.push_background(BackgroundWork::Discard(instance)));
}

fn refill(shared: &ThreadsShared, script: &Script, local: &LocalScript) {
    if !script.quarantines().holds_threads()
        && local.claim(shared.options.warm)
        && shared.queue.push_background(BackgroundWork::Prepare(script.clone())).is_err()
    {
        local.unclaim();
    }
}

fn do_chore(shared: &ThreadsShared, runner: &Runner, background_work: BackgroundWork) {
    match background_work {
        BackgroundWork::Discard(instance) => drop(instance),
        BackgroundWork::Retire(load_test) => drop(load_test),
        BackgroundWork::Prepare(script) => {
            let Some(local) = script.local() else { return };
            prepare(shared, runner, &script, local);
            local.unclaim();
        }
    }
}

/// A failure is not reported here: the next call creates a sandbox and gets the same failure.
fn prepare(shared: &ThreadsShared, runner: &Runner, script: &Script, local: &LocalScript) {
    let time_limits = Arc::new(prepare_gate(&shared.options.limits));
    let built = runner.run_watched(&time_limits, WorkItem::Prepare(script.clone()), || {
        Instance::build(&local.program()?, &shared.options.limits, &time_limits)
    });
    if let Some(Ok(instance)) = built {
        local.put(instance);
    }
}
