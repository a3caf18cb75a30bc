//! Plans of single tools, in memory.

use super::*;
use crate::natives::NativeFault;
use crate::tree::Memory;

const SCHEMA: &str = r#"{
  "toolId": "probe",
  "version": "1.0.0",
  "description": "Does one thing for a test.",
  "category": "utility",
  "sideEffects": "none",
  "idempotent": true,
  "requiresConfirmation": false,
  "allowedModes": ["text", "voice"],
  "latencyBudgetMs": 500,
  "parameters": {
    "type": "object",
    "additionalProperties": false,
    "properties": { "id": { "type": "string", "description": "An id" } }
  }
}
"#;
const GUIDE: &str = "# probe\n\nDoes one thing for a test.\n";

fn plan_of(handler: &str, text: &str) -> ToolPlan {
    let tree = Memory::new("tools")
        .with("probe/schema.json", SCHEMA)
        .with("probe/guide.md", GUIDE)
        .with(&format!("probe/{handler}"), text);
    let mut plan = plan(&tree, &Options::default(), &|_, _| Err(NativeFault::Absent));
    assert_eq!((plan.tools.len(), plan.toolset.len()), (1, 0));
    plan.tools.remove(0)
}

fn javascript(body: &str) -> ToolPlan {
    plan_of(
        "handler.js",
        &format!("export async function execute({{ args, context }}) {{\n{body}\n}}\n"),
    )
}

fn shown(plan: &ToolPlan) -> Vec<String> {
    let side = |text: &Option<String>| text.as_deref().unwrap_or("-").trim().to_owned();
    let line = |it: &LineChange| {
        format!("{}:{} {} => {}", it.file, it.line, side(&it.before), side(&it.after))
    };
    plan.changes.iter().map(line).collect()
}

#[test]
fn a_tool_that_compiles_needs_nothing() {
    let plan =
        javascript("  return { ok: true, data: { id: args.id, client: context.clientId } };");
    assert_eq!((plan.verdict, shown(&plan).len()), (Verdict::AsItIs, 0), "{:?}", plan.remaining);
}

#[test]
fn capabilities_are_declared_on_one_line() {
    let plan = javascript(
        "  context.audit.log('x', {});\n  await context.messaging.send({ type: 'image' });\n  return { ok: true, data: {} };",
    );
    assert_eq!(plan.verdict, Verdict::Lines);
    assert_eq!(
        shown(&plan),
        [r#"tools/probe/schema.json:11 - => "capabilities": ["audit", "messaging"],"#]
    );
}

#[test]
fn an_old_name_is_replaced_and_what_it_needs_is_declared() {
    let plan = javascript("  return { ok: true, data: await context.callTool('other', args) };");
    assert_eq!(plan.verdict, Verdict::Lines);
    assert_eq!(
        shown(&plan),
        [
            "tools/probe/handler.js:2 return { ok: true, data: await context.callTool('other', args) }; => return { ok: true, data: await context.tools.call('other', args) };",
            r#"tools/probe/schema.json:11 - => "capabilities": ["tools"],"#,
        ]
    );
}

#[test]
fn a_timeout_gets_its_block() {
    let plan = javascript(
        "  const timeoutUntil = context.now() + 1000;\n  await context.messaging.send({ type: 'timeout', timeoutUntil });\n  return {\n    ok: true,\n    data: {},\n    intents: [\n      { type: 'SUPPRESS_AUDIO', value: true }\n    ]\n  };",
    );
    assert_eq!(plan.verdict, Verdict::Lines);
    assert_eq!(
        shown(&plan)[0],
        "tools/probe/handler.js:7 intents: [ => intents: [{ type: 'BLOCK_USER', until: timeoutUntil },"
    );
    let again = javascript(
        "  const timeoutUntil = 5;\n  await context.messaging.send({ type: 'timeout', timeoutUntil });\n  return { ok: true, data: {} };",
    );
    assert!(shown(&again)[0].ends_with("=> return { ok: true, intents: [{ type: 'BLOCK_USER', until: timeoutUntil }], data: {} };"), "{:?}", shown(&again));
}

#[test]
fn a_handler_that_needs_the_network_needs_node_and_its_secrets() {
    let plan = javascript(
        "  const answer = await fetch(`https://example.com/${args.id}`, { headers: { key: process.env.WEATHER_KEY } });\n  return { ok: true, data: await answer.json() };",
    );
    assert_eq!(plan.verdict, Verdict::Runtime("node"));
    assert_eq!(
        shown(&plan),
        [
            r#"tools/probe/schema.json:11 - => "runtime": "node","#,
            r#"tools/probe/schema.json:11 - => "capabilities": ["secret:WEATHER_KEY"],"#,
        ]
    );
    assert!(plan.reasons.iter().any(|it| it.rule.code == "AIL-H015"));
}

#[test]
fn python_is_told_apart() {
    let plan = plan_of(
        "handler.py",
        "def execute(args, context):\n    return {\"ok\": True, \"data\": {}}\n",
    );
    assert_eq!(plan.verdict, Verdict::Runtime("python"));
}

#[test]
fn imports_of_the_application_need_a_decision() {
    let plan = plan_of(
        "handler.js",
        "import { db } from '../../lib/db.js';\nexport async function execute({ args }) {\n  return { ok: true, data: await db.find(args.id) };\n}\n",
    );
    assert_eq!(plan.verdict, Verdict::Decision);
    assert_eq!(plan.remaining[0].rule.code, "AIL-H006");
    let native = plan_of(
        "handler.rs",
        "pub async fn execute(args: Args, context: Context) -> ToolResult { todo() }\n",
    );
    assert_eq!(native.remaining[0].rule.code, "AIL-H016");
}

#[test]
fn a_plan_that_was_carried_out_proposes_nothing_more() {
    let plan_one = javascript(
        "  const timeoutUntil = 5;\n  await context.messaging.send({ type: 'timeout', timeoutUntil });\n  return { ok: true, data: {} };",
    );
    let mut tree =
        Memory::new("tools").with("probe/schema.json", SCHEMA).with("probe/guide.md", GUIDE);
    for (path, text) in &plan_one.texts {
        tree.insert(path.clone(), text.clone());
    }
    let again = plan(&tree, &Options::default(), &|_, _| Ok(()));
    assert_eq!(again.tools[0].verdict, Verdict::AsItIs, "{:?}", again.tools[0].remaining);
}
