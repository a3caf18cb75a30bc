//! `aileron test`: the cases of the tools, run and reported.

use serde_json::json;

use crate::workspace::{Workspace, repository};

#[test]
fn the_shipped_toolset_does_what_its_cases_say() {
    let tools = repository().join("tools");
    let run =
        Workspace::new().ok(&["test", "--format", "json", "--tools", tools.to_str().unwrap()]);
    let report = run.json();
    assert_eq!(report["failed"], 0, "{report}");
    assert!(report["cases"].as_u64().unwrap() > 90, "{report}");
    let tools = report["tools"].as_array().unwrap();
    assert!(tools.iter().all(|tool| tool["cases"].as_array().unwrap().len() > 2), "{report}");
}

#[test]
fn every_case_has_a_line_and_the_summary_counts_them() {
    let run = Workspace::with_tool().ok(&["test"]);
    assert_eq!(
        run.stdout,
        "greet_person\n  ok      greets by name (text)\n  ok      greets by name (voice)\n  \
         ok      refuses an empty name (text)\n  ok      refuses an empty name (voice)\n"
    );
    assert!(run.stderr.starts_with("4 cases of 1 tool: 4 ok, 0 failed, in "), "{}", run.stderr);
}

#[test]
fn what_differs_is_shown_with_what_the_tool_said() {
    let workspace = Workspace::with_tool();
    let code = "export async function execute({ args }) {
        console.log('called for ' + args.name);
        return { ok: true, data: { greeting: 'Hi!' } };
    }";
    workspace.write("tools/greet-person/handler.js", code);
    let run = workspace.run(&["test", "--mode", "text"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "greet_person\n  FAILED  greets by name (text)\n          \
         /data/greeting: expected \"Hello, Ada!\", found \"Hi!\"\n          \
         log info: called for Ada\n  ok      refuses an empty name (text)\n"
    );
    assert!(run.stderr.starts_with("2 cases of 1 tool: 1 ok, 1 failed, in "), "{}", run.stderr);
    let report = workspace.run(&["test", "--mode", "text", "--format", "json"]).json();
    let case = &report["tools"][0]["cases"][0];
    assert_eq!((case["ok"].as_bool(), case["mode"].as_str()), (Some(false), Some("text")));
    assert_eq!(case["differences"][0], "/data/greeting: expected \"Hello, Ada!\", found \"Hi!\"");
}

pub(crate) const FETCHING: &str = "export async function execute({ args, context }) {
  try {
    const answer = await context.http.fetch({
      url: 'https://api.example.com/greeting?name=' + args.name,
      headers: { authorization: 'Bearer ' + context.secret.get('GREETING_KEY') },
    });
    return { ok: true, data: { greeting: JSON.parse(answer.body).greeting } };
  } catch (error) {
    return { ok: false, error: { type: 'PERMANENT', message: error.message } };
  }
}";

#[test]
fn a_case_gives_secrets_and_the_answers_of_servers() {
    let workspace = Workspace::with_tool();
    workspace.write("tools/greet-person/handler.js", FETCHING);
    workspace.replace(
        "tools/greet-person/schema.json",
        "\"latencyBudgetMs\"",
        "\"capabilities\": [\"http:api.example.com\", \"secret:GREETING_KEY\"],\n  \"latencyBudgetMs\"",
    );
    let cases = |key: &str| {
        let request = json!({
            "url": "https://api.example.com/greeting?name=Ada",
            "headers": { "authorization": "Bearer key-1" },
        });
        json!([{
            "name": "asks the server", "args": { "name": "Ada" }, "mode": "text",
            "given": {
                "secrets": { "GREETING_KEY": key },
                "http": [{ "request": request, "response": { "body": { "greeting": "Moin, Ada!" } } }],
            },
            "expect": { "ok": true, "data": { "greeting": "Moin, Ada!" } },
        }])
    };
    workspace.write("tools/greet-person/cases.json", cases("key-1").to_string());
    let run = workspace.ok(&["test"]);
    assert!(run.stdout.contains("ok      asks the server (text)"), "{}", run.stdout);
    workspace.write("tools/greet-person/cases.json", cases("key-2").to_string());
    let run = workspace.run(&["test"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let unfit = "no entry of `given.http` fits GET https://api.example.com/greeting?name=Ada";
    assert!(run.stdout.contains(unfit), "{}", run.stdout);
}

#[test]
fn one_tool_can_be_asked_for_by_either_name() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["new", "book-room", "--category", "action"]);
    for name in ["book-room", "book_room"] {
        let run = workspace.ok(&["test", name]);
        assert!(
            run.stdout.starts_with("book_room\n") && !run.stdout.contains("greet_person"),
            "{}",
            run.stdout
        );
    }
    assert!(workspace.ok(&["test", "book-room", "greet-person"]).stderr.contains("of 2 tools"));
}

#[test]
fn a_tool_that_is_not_there_is_wrong_usage() {
    let run = Workspace::with_tool().run(&["test", "great-person"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        "error: there is no tool \"great_person\"; the closest are: greet_person\n"
    );
}

#[test]
fn a_tool_without_cases_is_listed_and_no_failure() {
    let workspace = Workspace::with_tool();
    workspace.system("rm", &["tools/greet-person/cases.json"]);
    let run = workspace.ok(&["test"]);
    assert_eq!(run.stdout, "greet_person\n  no cases\n");
    assert!(run.stderr.starts_with("0 cases of 1 tool: 0 ok, 0 failed, in "), "{}", run.stderr);
}

#[test]
fn tools_with_faults_are_not_tested() {
    let workspace = Workspace::with_tool();
    workspace.replace("tools/greet-person/cases.json", "\"Ada\"", "5");
    let run = workspace.run(&["test"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("AIL-C002"), "{}", run.stderr);
    assert_eq!(Workspace::new().run(&["test"]).code, 1);
}

#[test]
fn cases_run_in_worker_processes_where_the_settings_say_so() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "handlers.isolation = 'process'");
    workspace.ok(&["test"]);
}
