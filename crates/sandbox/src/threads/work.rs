//! What a thread does with what it takes from the queue.

use std::sync::Arc;

use serde_json::Value;

use super::Shared;
use super::loading::{load, prepare_gate};
use super::queue::{Chore, Job, Work};
use super::runner::{Runner, What};
use super::task::{Task, Turn};
use crate::fault::{Fault, LoadError};
use crate::instance::{Instance, Progress};
use crate::script::{Local, Script};

/// Works until the queue closes, or until the thread comes back from being given up and is not needed.
pub(super) fn run(shared: &Arc<Shared>, runner: &Arc<Runner>) {
    let mut trial = None;
    runner.begin();
    while let Some(work) = shared.queue.next(runner.duty) {
        match work {
            Work::Job(Job::Step(task)) => step(shared, runner, &task),
            Work::Job(Job::Load(loading)) => load(shared, runner, &mut trial, &loading),
            Work::Chore(chore) => do_chore(shared, runner, chore),
        }
        shared.free.notify_all();
        if runner.is_abandoned() && !shared.take_back(runner) {
            return;
        }
    }
}

/// One slice of a call.
fn step(shared: &Arc<Shared>, runner: &Runner, task: &Arc<Task>) {
    let (mut instance, replies) = match task.turn() {
        Turn::Begin => (None, None),
        Turn::Resume(instance, replies) => (Some(instance), Some(replies)),
        Turn::Over(instance) => {
            match task.gate().stopped() {
                Some(stop) => task.finish(Err(stop.into())),
                None => task.lose(),
            }
            return instance.into_iter().for_each(|instance| discard(shared, instance));
        }
    };
    let progress =
        runner.attend(task.gate(), What::Call(task.clone()), || match (&instance, replies) {
            (Some(instance), Some(replies)) => instance.resume(task.gate(), replies),
            _ => match prepared(shared, task) {
                Ok(fresh) => instance.insert(fresh).start(task.seat.clone(), &task.input),
                Err(fault) => Progress::Finished(Err(fault)),
            },
        });
    match (progress, instance) {
        (Some(Progress::Finished(outcome)), instance) => end(shared, task, outcome, instance),
        (Some(Progress::Waiting), Some(instance)) => {
            task.park(instance).into_iter().for_each(|instance| discard(shared, instance));
        }
        (_, instance) => lose(runner, task, instance),
    }
}

/// A sandbox for the call: one prepared ahead, or one made on the spot, within the call's own limits.
fn prepared(shared: &Shared, task: &Task) -> Result<Instance, Fault> {
    let local = task.script.local().ok_or(Fault::EngineLost)?;
    if let Some(instance) = local.take() {
        return Ok(instance);
    }
    let built = local
        .program()
        .and_then(|program| Instance::build(&program, &shared.options.limits, task.gate()));
    built.map_err(|error| match error {
        LoadError::TopLevel { fault, .. } => fault,
        error => Fault::error("Error", error.to_string()),
    })
}

/// Answers first and cleans up afterwards.
fn end(shared: &Shared, task: &Task, outcome: Result<Value, Fault>, instance: Option<Instance>) {
    task.finish(outcome);
    instance.into_iter().for_each(|instance| discard(shared, instance));
    if let Some(local) = task.script.local() {
        refill(shared, &task.script, local);
    }
}

/// The thread panicked, or was given up and has come back. A panic leaves the sandbox in an unknown state,
/// in which freeing it may end the process; it is left alone.
fn lose(runner: &Runner, task: &Task, instance: Option<Instance>) {
    task.lose();
    if !runner.is_abandoned() {
        std::mem::forget(instance);
    }
}

fn discard(shared: &Shared, instance: Instance) {
    drop(shared.queue.put_off(Chore::Discard(instance)));
}

fn refill(shared: &Shared, script: &Script, local: &Local) {
    if !script.quarantines().holds_threads()
        && local.claim(shared.options.warm)
        && shared.queue.put_off(Chore::Prepare(script.clone())).is_err()
    {
        local.unclaim();
    }
}

fn do_chore(shared: &Shared, runner: &Runner, chore: Chore) {
    match chore {
        Chore::Discard(instance) => drop(instance),
        Chore::Retire(trial) => drop(trial),
        Chore::Prepare(script) => {
            let Some(local) = script.local() else { return };
            prepare(shared, runner, &script, local);
            local.unclaim();
        }
    }
}

/// A failure is not reported here: the next call makes its own sandbox and meets it again.
fn prepare(shared: &Shared, runner: &Runner, script: &Script, local: &Local) {
    let gate = Arc::new(prepare_gate(&shared.options.limits));
    let built = runner.attend(&gate, What::Prepare(script.clone()), || {
        Instance::build(&local.program()?, &shared.options.limits, &gate)
    });
    if let Some(Ok(instance)) = built {
        local.put(instance);
    }
}
