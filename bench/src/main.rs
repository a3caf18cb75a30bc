//! `aileron-bench`: measures one thing per command and prints a table.

mod artifact;
mod calendar;
mod chat;
mod compile;
mod generate;
mod http;
mod kb;
mod load;
mod pipeline;
mod process;
mod samples;
mod validate;
mod voice;
mod workers;

use std::process::ExitCode;

use kb::Beside;

const USAGE: &str = "\
Usage: cargo run --release -p aileron-bench -- <command>

  compile [sizes]   build generated toolsets (default 10,100,1000,10000), beside a builder in Node
  pipeline          calls from JSON text to JSON text, two a turn, in memory and on disk
  writes            durable writes, one after another and many at once
  javascript        calls of a JavaScript handler that awaits one call of its host
  workers           calls of Node.js and Python handlers that await one capability, beside micro-services in
                    both; their cold start and their memory
  http [sizes]      calls over HTTP (default 1,32,256 connections), beside a server in Node with the same gates
  validate          arguments beside Ajv 8 in Node
  load              registries of growing size
  calendar [count]  proposals over calendars in files (default 50000 events)
  kb [--records sizes [--alone]]
                    the knowledge base (default 10000,100000,1000000), beside SQLite and LanceDB in Python
  kb-quality        rankings of a public test collection, by words, meaning and both
  kb-off-topic [models folder]
                    how well the least score of a search parts off-topic questions from others
  chat              streams of POST /api/chat, beside a handler in Node
  start             from the start of `aileron serve` to its first answers, beside the handler in Node
  voice [sizes]     audio through the voice server (default 10,100,500,1000 conversations), beside Node
  voice-capacity    the most conversations that one core carries, beside Node
  voice-calls       a call by voice, from the provider's frame to the frame with the answer
  voice-soak [minutes]   50 conversations with calls for so long (default 10); fails if memory keeps growing
                    or a call is not answered once
  generate <dir> <count>   write a toolset like the ones that are measured";

/// Builds allocate on many threads: the system's allocator took a quarter of their time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["compile"] => compile::run("10,100,1000,10000"),
        ["compile", sizes] => compile::run(sizes),
        ["pipeline"] => pipeline::run(),
        ["writes"] => pipeline::writes(),
        ["javascript"] => pipeline::javascript(),
        ["workers"] => workers::run(),
        ["http"] => http::run("1,32,256"),
        ["http", sizes] => http::run(sizes),
        ["validate"] => validate::run(),
        ["load"] => load::run(),
        ["chat"] => chat::run(),
        ["start"] => chat::start(),
        ["chat-provider", pace] => chat::provider(pace),
        ["chat-server", provider] => chat::server(provider),
        ["calendar"] => calendar::run("50000"),
        ["calendar", count] => calendar::run(count),
        ["kb"] => kb::run("10000,100000,1000000", Beside::Peers),
        ["kb", "--records", sizes] => kb::run(sizes, Beside::Peers),
        ["kb", "--records", sizes, "--alone"] => kb::run(sizes, Beside::Nothing),
        ["kb-quality"] => kb::quality(),
        ["kb-off-topic"] => kb::off_topic(None),
        ["kb-off-topic", models] => kb::off_topic(Some(models.as_ref())),
        ["kb-ingest", folder] => kb::ingest(folder.as_ref()),
        ["kb-search", folder] => kb::search(folder.as_ref()),
        ["voice"] => voice::run("10,100,500,1000", ""),
        ["voice", sizes] => voice::run(sizes, ""),
        ["voice", sizes, through] => voice::run(sizes, through),
        ["voice-capacity"] => voice::capacity(""),
        ["voice-capacity", through] => voice::capacity(through),
        ["voice-calls"] => voice::calls(),
        ["voice-soak"] => voice::soak("10"),
        ["voice-soak", minutes] => voice::soak(minutes),
        ["voice-serve", provider, kept] => {
            voice::Kept::named(kept).and_then(|kept| voice::serve(provider, kept))
        }
        ["generate", tools, count] => generate::run(tools.as_ref(), count),
        ["compile-once", tools, out] => compile::once(tools.as_ref(), out.as_ref()),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

/// Prints a line for a person.
#[expect(clippy::print_stderr, reason = "a developer's command talks to a developer")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// Prints a line of the result.
#[expect(clippy::print_stdout, reason = "the table is the data of the command")]
fn print(text: &str) {
    println!("{text}");
}
