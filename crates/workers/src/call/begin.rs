//! Sends a call to its worker.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_capability::Context;
use aileron_capability::foreign::{HandlerFault, HostFault, context_data};
use tokio::runtime::Handle;
use tokio::sync::mpsc::unbounded_channel;

use super::{AttemptFault, CallInput, OpenCall, WorkerCall};
use crate::lease::Lease;
use crate::message::{SecretAnswer, ToWorker};
use crate::options::WorkerOptions;
use crate::tool_code::ToolCode;

impl WorkerCall {
    pub(super) fn begin(
        lease: Lease,
        code: &ToolCode,
        input: &CallInput<'_>,
        options: &Arc<WorkerOptions>,
        runtime: &Handle,
    ) -> Result<Self, AttemptFault> {
        let id = fresh_id().map_err(AttemptFault::Fault)?;
        let (sender, events) = unbounded_channel();
        let worker = lease.worker().clone();
        if !worker.enter(&id, sender) {
            return Err(AttemptFault::NotBegun);
        }
        let call = Self {
            id,
            open: Some(OpenCall { lease, events }),
            options: options.clone(),
            runtime: runtime.clone(),
            text_left: options.log_bytes,
            has_begun: false,
        };
        let mut data = context_data(input.spec, input.context);
        data["now"] = input.context.now().into();
        let message = ToWorker::Call {
            id: &call.id,
            tool: &code.tool,
            args: input.args,
            context: &data,
            secrets: &secrets(&code.secrets, input.context),
            voice: input.context.voice_is_active().unwrap_or(false),
        };
        let sent = worker.send(&message);
        sent.map_err(|why| AttemptFault::Fault(HandlerFault::error("Error", why)))?;
        Ok(call)
    }
}

fn secrets(names: &[String], context: &Context) -> BTreeMap<String, SecretAnswer> {
    let answer = |name: &String| match context.secret(name) {
        Ok(value) => SecretAnswer::Value(value),
        Err(fault) => {
            let code = fault.code.as_str().to_owned();
            SecretAnswer::Fault(HostFault { code, message: fault.message, is_diagnosis: true })
        }
    };
    names.iter().map(|name| (name.clone(), answer(name))).collect()
}

/// An id that other calls cannot guess.
fn fresh_id() -> Result<String, HandlerFault> {
    let random = getrandom::u64().map_err(|_| HandlerFault::EngineLost)?;
    Ok(format!("{random:016x}"))
}
