//! Every case of every shipped tool, straight through the runtime.

use std::fs;

use aileron_capability::envelope::{self, ResponseMeta};
use aileron_capability::{Caller, Clock, ContextParts, ToolResult};
use aileron_contract::{Arguments, CallId, ConversationId, ErrorType, Failure, Mode, ToolResponse};
use aileron_runtime::cases::{self, Case, CaseWorld};
use aileron_runtime::{ArgumentFaults, Tool};
use tokio_util::sync::CancellationToken;

use crate::toolset::{folder, registry};

/// Cases about what the gate does before a call comes here, or knows of other tools.
const GATED: [(&str, &str); 2] = [
    ("kb_search", "voice gets three results when ten were asked"),
    ("describe_tool", "reads the guide of a tool"),
];

#[tokio::test]
async fn every_case_of_every_shipped_tool_holds() {
    let (mut failed, mut run) = (Vec::new(), 0);
    for tool in registry().tools() {
        for case in read(tool) {
            for mode in case.modes(tool.spec()) {
                let response = respond(tool, &case, mode).await;
                let different = cases::differences(&case.expect, &response);
                let title = format!("{} ({mode}): {}", tool.spec().tool_id, case.name);
                failed.extend(different.iter().map(|line| format!("{title}\n    {line}")));
                run += 1;
            }
        }
    }
    assert!(failed.is_empty(), "{} differences\n{}", failed.len(), failed.join("\n"));
    assert!(run >= 80, "only {run} calls were made");
}

#[test]
fn every_case_that_is_left_out_exists() {
    for (tool, name) in GATED {
        let tool = registry().tool(tool).unwrap();
        assert!(all(tool).iter().any(|case| case.name == name), "{name}");
    }
}

fn read(tool: &Tool) -> Vec<Case> {
    let gated = |case: &Case| GATED.contains(&(tool.spec().tool_id.as_str(), &case.name));
    all(tool).into_iter().filter(|case| !gated(case)).collect()
}

fn all(tool: &Tool) -> Vec<Case> {
    let path = folder().join(tool.spec().tool_id.directory()).join("cases.json");
    cases::read(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Makes the call of a case in a world of its own.
pub(crate) async fn respond(tool: &Tool, case: &Case, mode: Mode) -> ToolResponse {
    let args = match tool.prepare(Arguments::from(case.args.clone())) {
        Ok(args) => args,
        Err(_) => return answer(tool, Err(Failure::new(ErrorType::Validation, "").into())),
    };
    let ending = tool.run(args.into(), surroundings(tool, case.given.world(mode), mode)).await;
    assert_eq!(ending.defect, None, "{}", case.name);
    if let Ok(success) = &ending.result {
        assert_eq!(tool.result_faults(&success.data), ArgumentFaults::default(), "{}", case.name);
    }
    answer(tool, ending.result)
}

fn answer(tool: &Tool, result: ToolResult) -> ToolResponse {
    let call_id = CallId::new("call").unwrap();
    let stamp = ResponseMeta {
        tool_id: tool.spec().tool_id.as_str(),
        tool_version: None,
        registry_version: registry().version(),
        call_id: &call_id,
        duration_ms: 0,
        attempts: 1,
        clamped: Vec::new(),
        over_budget: false,
    };
    match result {
        Ok(success) => envelope::succeeded(success, stamp, usize::MAX),
        Err(error) => envelope::failed(error.into_failure(), stamp),
    }
}

pub(crate) fn surroundings(tool: &Tool, world: CaseWorld, mode: Mode) -> ContextParts {
    let caller = Caller {
        conversation: ConversationId::new("conversation").unwrap(),
        user: None,
        scopes: [].into(),
        mode,
        tool: tool.spec().tool_id.clone(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "key".into(),
    };
    ContextParts {
        deadline: world.clock.now_ms() + 60_000,
        caller,
        platform: world.platform,
        conversation: world.conversation,
        clock: world.clock,
        cancel: CancellationToken::new(),
        user: world.user,
        depth: 0,
    }
}
