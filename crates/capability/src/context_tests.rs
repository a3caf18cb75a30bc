//! Errors for a handler that uses more than its tool declares, and the time limits of its requests.

use aileron_contract::Mode;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::*;
use crate::clock::ManualClock;
use crate::doubles::{RecordingConversation, caller};
use crate::http::{
    CheckedRequest, Connection, HttpClient, HttpFault, HttpOptions, StreamingResponse,
};

fn context(declared: &[Capability]) -> Context {
    context_on(declared, Platform::default(), 1000)
}

fn context_on(declared: &[Capability], platform: Platform, deadline: u64) -> Context {
    let parts = ContextParts {
        caller: caller::of("c"),
        platform: Arc::new(platform),
        conversation: Arc::new(RecordingConversation::new(Mode::Text)),
        clock: Arc::new(ManualClock::at(0)),
        deadline,
        cancel: CancellationToken::new(),
        user: None,
        depth: 0,
    };
    Context::new(declared.into(), parts)
}

#[test]
fn a_capability_that_is_not_declared_is_named_as_it_would_be_declared() {
    let context = context(&[Capability::Secret("OTHER".to_owned())]);
    let undeclared = |name| format!("the tool does not declare the capability `{name}`");
    let secret = context.secret("Api_Key").unwrap_err();
    assert_eq!(secret.message, undeclared("secret:Api_Key"));
    assert_eq!(context.kb().map(drop).unwrap_err().message, undeclared("kb"));
    assert_eq!(
        context.secret("OTHER").unwrap_err().message,
        "the secret `OTHER` is not set; set the environment variable `OTHER` where aileron is started"
    );
}

#[test]
fn every_capability_is_read_back_from_its_name() {
    for name in [
        "messaging",
        "voice",
        "audio",
        "audit",
        "kb",
        "calendar",
        "images",
        "tools",
        "http:api.example.com",
        "secret:API_KEY",
    ] {
        assert_eq!(name.parse::<Capability>().map(|read| read.to_string()), Ok(name.to_owned()));
    }
}

/// A request that does not say how long it may take has the usual time, not all that is left of the call.
/// A server that accepts requests and answers none.
#[derive(Debug)]
struct Silent;

impl Connection for Silent {
    fn send<'a>(
        &'a self,
        _: &'a CheckedRequest,
    ) -> BoxFuture<'a, Result<StreamingResponse, HttpFault>> {
        std::future::pending().boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_has_the_usual_time_and_never_more_than_is_left() {
    let here = "silent.example";
    let late = async |usual_ms: u64, timeout_ms: Option<u64>, left_ms: u64| {
        let options = HttpOptions {
            default_timeout: Duration::from_millis(usual_ms),
            ..HttpOptions::default()
        };
        let http = Some(Arc::new(HttpClient::over(Silent, options).unwrap()));
        let platform = Platform { http, ..Platform::default() };
        let context = context_on(&[Capability::Http(here.to_string())], platform, left_ms);
        let request = HttpRequest { timeout_ms, ..HttpRequest::get(format!("https://{here}/")) };
        context.fetch(request).await.unwrap_err().message
    };
    assert_eq!(late(20, None, 60_000).await, "no whole answer within 20 ms");
    assert_eq!(late(60_000, Some(30), 60_000).await, "no whole answer within 30 ms");
    assert_eq!(late(60_000, None, 40).await, "no whole answer within 40 ms");
}
