//! What a person reads when the simulator begins: where it is, and how to point an
//! agent at it.

use std::path::Path;

use aileron_simulator::Running;

use crate::args::{SimulateArgs, Simulated};

/// Node's client for Gemini speaks plain; Python's only TLS.
const GEMINI: &str = "\
Node    new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: 'http://{plain}' } })
Python  genai.Client(api_key='any', http_options={'base_url': 'https://{tls}'})   needs --tls
Rust    gemini_live::target(Some(\"ws://{plain}\"), \"any\")";

const OPENAI: &str = "\
Python  AsyncOpenAI(api_key='any', base_url='http://{plain}/v1')
Agents  new OpenAIRealtimeWebSocket({ url: 'ws://{plain}/v1/realtime?model=gpt-realtime' })
Node    new OpenAI({ apiKey: 'any', baseURL: 'https://{tls}/v1' })   needs --tls
Rust    openai_realtime::target(Some(\"ws://{plain}\"), \"gpt-realtime\", \"any\")";

const NO_TLS: &str = "localhost:PORT";

pub(super) fn text(args: &SimulateArgs, running: &Running) -> String {
    let (name, clients) = match args.provider {
        Simulated::GeminiLive => ("Gemini Live", GEMINI),
        Simulated::OpenaiRealtime => ("OpenAI Realtime", OPENAI),
    };
    let plain = running.address.to_string();
    let tls = running.tls_address.map(|address| format!("localhost:{}", address.port()));
    let clients = clients.replace("{plain}", &plain);
    let clients = clients.replace("{tls}", tls.as_deref().unwrap_or(NO_TLS));
    let mut lines =
        vec![format!("{name}, simulated: no key, no network, no model."), String::new()];
    lines.push(format!("plain   ws://{plain}"));
    if let (Some(tls), Some(ca)) = (&tls, &running.ca) {
        lines.push(format!("TLS     wss://{tls}"));
        lines.push(format!("trust   {}", trust(ca)));
    }
    lines.push(format!("model   {}", model(args)));
    if !args.faults.is_empty() {
        lines.push(format!("faults  {}", faults(args)));
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
        None => "says what it heard".to_owned(),
    }
}

fn faults(args: &SimulateArgs) -> String {
    let all: Vec<_> = args.faults.iter().map(ToString::to_string).collect();
    all.join(", ")
}
