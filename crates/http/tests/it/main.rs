//! The HTTP engine over real sockets: allowed and refused requests, and servers that misbehave.

#![allow(clippy::unwrap_used, clippy::panic)]

mod answers;
mod hostile;
mod places;
mod server;

use aileron_capability::http::{HttpFault, HttpOptions, HttpRequest, HttpResponse};

use server::Server;

type Outcome = Result<HttpResponse, HttpFault>;

/// Asks for a path of a server at `127.0.0.1`, which is declared.
async fn ask(server: &Server, path: &str) -> Outcome {
    let here = server.at("127.0.0.1");
    fetch(server::open(), &[&here], HttpRequest::get(format!("http://{here}{path}"))).await
}

async fn fetch(options: HttpOptions, declared: &[&str], request: HttpRequest) -> Outcome {
    let declared: Vec<String> = declared.iter().map(ToString::to_string).collect();
    aileron_http::client(options).unwrap().fetch(&declared, request).await
}

/// The outcome in one line: the status and the body, or the fault.
fn line(outcome: Outcome) -> String {
    match outcome {
        Ok(response) => format!("{} {}", response.status, response.body),
        Err(fault) => fault.to_string(),
    }
}
