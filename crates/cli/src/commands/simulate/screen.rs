//! The start screen of the simulator: its addresses, and how to configure an agent for it.

use std::path::Path;

use aileron_simulator::RunningSimulator;

use crate::args::{SimulateArgs, SimulatedProvider};

/// Node's client for Gemini allows plain http; Python's requires TLS.
const GEMINI: &str = "\
Node    new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: 'http://{plain}' } })
Python  genai.Client(api_key='any', http_options={'base_url': 'https://{tls}'})   needs --tls
Rust    gemini_live::target(Some(\"ws://{plain}\"), \"any\")";

const OPENAI: &str = "\
Python  AsyncOpenAI(api_key='any', base_url='http://{plain}/v1')
Agents  new OpenAIRealtimeWebSocket({ url: 'ws://{plain}/v1/realtime?model=gpt-realtime' })
Node    new OpenAI({ apiKey: 'any', baseURL: 'https://{tls}/v1' })   needs --tls
Rust    openai_realtime::target(Some(\"ws://{plain}\"), \"gpt-realtime\", \"any\")";

const OPENAI_LIVE: &str = "\
Node    new LiveWS(new OpenAI({ apiKey: 'any', baseURL: 'http://{plain}/v1' }))
Python  AsyncOpenAI(api_key='any', base_url='http://{plain}/v1').live.connect()
AI SDK  createOpenAI({ apiKey: 'any', baseURL: 'http://{plain}/v1' }).experimental_realtime('gpt-live-1', { api: 'live' })";

const GEMINI_WRITTEN: &str = "\
Node    new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: 'http://{plain}' } })
Python  genai.Client(api_key='any', http_options={'base_url': 'http://{plain}'})
Here    aileron chat --provider gemini, with base_url = \"http://{plain}\" in [text]";

const OPENAI_WRITTEN: &str = "\
Node    new OpenAI({ apiKey: 'any', baseURL: 'http://{plain}/v1' })
Python  OpenAI(api_key='any', base_url='http://{plain}/v1')
Here    aileron chat --provider openai, with base_url = \"http://{plain}\" in [text]";

const ANTHROPIC: &str = "\
Node    new Anthropic({ apiKey: 'any', baseURL: 'http://{plain}' })
Python  Anthropic(api_key='any', base_url='http://{plain}')
Here    aileron chat --provider anthropic, with base_url = \"http://{plain}\" in [text]";

const NO_TLS: &str = "localhost:PORT";

pub(super) fn text(args: &SimulateArgs, running: &RunningSimulator) -> String {
    let (name, clients) = match args.provider {
        SimulatedProvider::GeminiLive => ("Gemini Live", GEMINI),
        SimulatedProvider::OpenaiRealtime => ("OpenAI Realtime", OPENAI),
        SimulatedProvider::OpenaiLive => ("OpenAI Live", OPENAI_LIVE),
        SimulatedProvider::Gemini => ("Gemini", GEMINI_WRITTEN),
        SimulatedProvider::Openai => ("OpenAI", OPENAI_WRITTEN),
        SimulatedProvider::Anthropic => ("Anthropic", ANTHROPIC),
    };
    let scheme = if args.provider.is_live() { "ws" } else { "http" };
    let plain = running.address.to_string();
    let tls = running.tls_address.map(|address| format!("localhost:{}", address.port()));
    let clients = clients.replace("{plain}", &plain);
    let clients = clients.replace("{tls}", tls.as_deref().unwrap_or(NO_TLS));
    let mut lines =
        vec![format!("{name}, simulated: no key, no network, no model."), String::new()];
    lines.push(format!("plain   {scheme}://{plain}"));
    if let (Some(tls), Some(ca)) = (&tls, &running.ca) {
        lines.push(format!("TLS     {scheme}s://{tls}"));
        lines.push(format!("trust   {}", trust(ca)));
    }
    lines.push(format!("model   {}", model(args)));
    if !args.faults.is_empty() {
        lines.push(format!("faults  {}", args.faults.join(", ")));
    }
    lines.extend([String::new(), clients, String::new(), "Ctrl-C ends.".to_owned()]);
    lines.join("\n")
}

fn trust(ca: &Path) -> String {
    let ca = ca.display();
    format!("SSL_CERT_FILE={ca} (Python), NODE_EXTRA_CA_CERTS={ca} (Node)")
}

fn model(args: &SimulateArgs) -> String {
    match &args.script {
        Some(path) => format!("follows {}", path.display()),
        None => "the offline rules".to_owned(),
    }
}
