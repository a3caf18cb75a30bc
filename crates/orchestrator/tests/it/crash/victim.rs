//! The process that is killed: repeats the same calls, one conversation after the other, and
//! reports the answers.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use aileron_capability::{Context, Native, ToolResult, success};
use aileron_contract::{ConversationId, Mode, ToolResponse};
use aileron_orchestrator::{Conversation, Resolution, TurnInput};
use aileron_store::SqliteStore;
use serde_json::{Value, json};

use crate::child;
use crate::stage::{Stage, ada, call, native, spec, word};

/// Conversations that are held at a time.
pub(super) const TASKS: usize = 4;

/// The folder for the effects of handlers, which are plain functions.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// One answer, as the parent hears it.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) conversation: String,
    pub(super) call: String,
    pub(super) word: String,
    pub(super) number: String,
    pub(super) replayed: bool,
}

impl Said {
    /// `None` if the kill cut the line off.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let [conversation, call, word, number, replayed, "."] =
            line.split(' ').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let own = str::to_owned;
        let replayed = replayed == "true";
        Some(Self {
            conversation: own(conversation),
            call: own(call),
            word: own(word),
            number: own(number),
            replayed,
        })
    }
}

/// The task and the place in its line of a conversation.
pub(super) fn place(conversation: &str) -> Option<(usize, usize)> {
    let (task, at) = conversation.strip_prefix("haunted-")?.split_once('-')?;
    Some((task.parse().ok()?, at.parse().ok()?))
}

/// The name of a call for the parent process: the ids of approved calls are random.
pub(super) fn name_of(call_id: &str) -> String {
    if call_id.starts_with("confirmed-") { "approved".to_owned() } else { call_id.to_owned() }
}

#[test]
fn victim() {
    let Some(folder) = child::folder() else { return };
    FOLDER.set(folder.clone()).unwrap();
    let store = SqliteStore::open(folder.join("store.db"), Default::default()).unwrap();
    let stage = Stage::over(Arc::new(store), &[tool("write", false), tool("book", true)]);
    let places = fs::read_to_string(folder.join("places")).unwrap();
    let places: Vec<usize> = places.split(' ').map(|place| place.parse().unwrap()).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(futures_util::future::join_all(
        places.iter().enumerate().map(|(task, from)| haunted(&stage, task, *from)),
    ));
}

fn tool(id: &'static str, asks: bool) -> (Value, Native) {
    let more = json!({ "sideEffects": "writes", "requiresConfirmation": asks });
    (spec(id, more), native(id, |_, context| Box::pin(write(context))))
}

/// The side effect: a line with the key and a number that no other run would have, on the disk.
async fn write(context: Context) -> ToolResult {
    let caller = context.caller();
    let number = format!("{:016x}", RandomState::new().hash_one(&caller.idempotency_key));
    let line = format!("{} {} {number}\n", caller.conversation, caller.idempotency_key);
    let path = FOLDER.get().unwrap().join("effects");
    let mut effects = OpenOptions::new().create(true).append(true).open(path).unwrap();
    effects.write_all(line.as_bytes()).unwrap();
    effects.sync_all().unwrap();
    success(json!(number))
}

/// Holds one conversation after the other until the process is killed.
async fn haunted(stage: &Stage, task: usize, from: usize) {
    for at in from.. {
        let name = format!("haunted-{task}-{at}");
        let id = ConversationId::new(&*name).unwrap();
        let is_new = stage.store.load_conversation(&id).await.unwrap().is_none();
        let conversation = stage.open_as(&name, Mode::Text, ada()).await;
        if is_new {
            conversation.begin_turn(TurnInput::Written).await.unwrap();
        }
        deliver(&conversation).await;
        approve(&conversation).await;
    }
}

/// Long ids one by one, short ids in one message.
async fn deliver(conversation: &Conversation) {
    for (n, id) in ["call-long-1", "call-long-2", "call-long-3"].into_iter().enumerate() {
        let answers = conversation.call(vec![call(id, "write", json!({ "n": n }))]).await;
        say(conversation, id, &answers[0]);
    }
    let short = ["s1", "s2", "s3"].iter().enumerate();
    let short = short.map(|(n, id)| call(id, "write", json!({ "n": n + 10 }))).collect();
    let answers = conversation.call(short).await;
    for (id, answer) in ["s1", "s2", "s3"].iter().zip(answers) {
        say(conversation, id, &answer);
    }
}

/// Requests a confirmation, and answers with the first token that the person received.
async fn approve(conversation: &Conversation) {
    let page = FOLDER.get().unwrap().join(format!("token-{}", conversation.id()));
    let token = match fs::read_to_string(&page) {
        Ok(token) => token,
        Err(_) => ask(conversation, &page).await,
    };
    let told = conversation.confirm(&token, true, &ada()).await.unwrap();
    let told = match told {
        Resolution::Known(known) => *known,
        told => told,
    };
    match told {
        Resolution::Approved(late) => {
            say(conversation, "approved", &late[0].answer);
            // If it is delivered again, the call that needed the confirmation is the approved one.
            let again = conversation.call(vec![call("call-book", "book", json!({}))]).await;
            say(conversation, "approved", &again[0]);
        }
        other => panic!("{other:?}"),
    }
}

async fn ask(conversation: &Conversation, page: &Path) -> String {
    let answers = conversation.call(vec![call("call-book", "book", json!({}))]).await;
    say(conversation, "call-book", &answers[0]);
    let request = answers[0].failure().unwrap().confirmation_request.clone().unwrap();
    // Renamed into place, so that a kill leaves the whole token or none.
    let draft = page.with_extension("draft");
    fs::write(&draft, &request.token).unwrap();
    fs::rename(draft, page).unwrap();
    request.token
}

fn say(conversation: &Conversation, id: &str, answer: &ToolResponse) {
    let number = match answer {
        ToolResponse::Success { data, .. } => data.as_str().unwrap(),
        ToolResponse::Failure { .. } => "-",
    };
    say_line(conversation, id, word(answer), number, answer.meta().replayed);
}

fn say_line(conversation: &Conversation, id: &str, word: &str, number: &str, replayed: bool) {
    child::say(&format!("{} {id} {word} {number} {replayed} .", conversation.id()));
}
