//! The test doubles of the scripts: `world.json`, a knowledge base that can be slow or flaky on
//! demand, and a clock that the script moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aileron_capability::kb::{
    FetchedRecords, GetRequest, GuardedKb, Readers, SearchRequest, SearchResult,
};
use aileron_capability::{Answer, Kb};
use aileron_capability::{Caller, CapabilityFault, Clock, FaultCode, ManualClock, Platform};
use aileron_contract::{CallId, Mode};
use aileron_runtime::cases::Given;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

const WORLD: &str = include_str!("../../orchestrator/tests/conversations/world.json");

/// A request with this word is held until the script says `kb answers`.
const HELD: &str = "slowly";
/// A request with this word fails twice before it is answered.
const FLAKY: &str = "flaky";
/// A request with this word always fails.
const UNREACHABLE: &str = "unreachable";

/// A wait up to this length passes immediately: the pause before a retry.
const SHORT_MS: u64 = 1000;

/// The shared state of the orchestrators of one script.
#[derive(Debug)]
pub struct ScriptEnvironment {
    pub platform: Platform,
    pub clock: Arc<ScriptClock>,
    pub kb: Arc<ScriptKb>,
}

impl ScriptEnvironment {
    pub fn new(readers: &Readers) -> Self {
        let given: Given = serde_json::from_str(WORLD).unwrap();
        let environment = given.world(Mode::Text);
        let mut platform = (*environment.platform).clone();
        let inner = platform.kb.take().unwrap();
        let guarded = GuardedKb { inner, readers: readers.clone() };
        let kb = Arc::new(ScriptKb::over(Arc::new(guarded)));
        platform.kb = Some(kb.clone());
        Self { platform, clock: Arc::new(ScriptClock(environment.clock)), kb }
    }
}

/// A clock that stands still, except for short waits, which pass immediately.
#[derive(Debug)]
pub struct ScriptClock(Arc<ManualClock>);

impl ScriptClock {
    /// The clock underneath, which only the script moves.
    pub fn held(&self) -> &Arc<ManualClock> {
        &self.0
    }

    pub fn advance(&self, ms: u64) {
        self.0.advance(ms);
    }
}

impl Clock for ScriptClock {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }

    fn wait_until(&self, time_ms: u64) -> BoxFuture<'static, ()> {
        let left = time_ms.saturating_sub(self.now_ms());
        if left <= SHORT_MS {
            self.0.advance(left);
        }
        self.0.wait_until(time_ms)
    }
}

/// A knowledge base whose behaviour depends on words in the request.
#[derive(Debug)]
pub struct ScriptKb {
    inner: Arc<dyn Kb>,
    held_requests: watch::Sender<HeldRequests>,
    failures: AtomicUsize,
}

#[derive(Debug, Default)]
struct HeldRequests {
    /// The calls whose requests were held.
    held: Vec<CallId>,
    /// How often held requests were released.
    released: usize,
}

impl ScriptKb {
    fn over(inner: Arc<dyn Kb>) -> Self {
        Self { inner, held_requests: watch::Sender::default(), failures: AtomicUsize::new(0) }
    }

    /// Waits until a request of this call is held.
    pub async fn holds(&self, call: &CallId) {
        let mut held_requests = self.held_requests.subscribe();
        held_requests.wait_for(|held_requests| held_requests.held.contains(call)).await.unwrap();
    }

    /// Answers all held requests.
    pub fn release(&self) {
        self.held_requests.send_modify(|held_requests| held_requests.released += 1);
    }

    fn treated<T: Send + 'static>(
        &self,
        caller: &Caller,
        words: &str,
        answer: Answer<T>,
    ) -> Answer<T> {
        if words.contains(HELD) {
            return self.hold(caller, answer);
        }
        let again = words.contains(FLAKY) && self.failures.fetch_add(1, Ordering::Relaxed) < 2;
        if again || words.contains(UNREACHABLE) {
            let fault = CapabilityFault::new(FaultCode::Timeout, "no answer in time");
            return std::future::ready(Err(fault)).boxed();
        }
        answer
    }

    fn hold<T: Send + 'static>(&self, caller: &Caller, answer: Answer<T>) -> Answer<T> {
        let mut held_requests = self.held_requests.subscribe();
        let released = self.held_requests.borrow().released;
        self.held_requests
            .send_modify(|held_requests| held_requests.held.push(caller.call_id.clone()));
        async move {
            held_requests
                .wait_for(|held_requests| held_requests.released > released)
                .await
                .unwrap();
            answer.await
        }
        .boxed()
    }
}

impl Kb for ScriptKb {
    fn search(&self, caller: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        let words = request.query.clone();
        self.treated(caller, &words, self.inner.search(caller, request))
    }

    fn get(&self, caller: &Caller, request: GetRequest) -> Answer<FetchedRecords> {
        let words = request.ids.join(" ");
        self.treated(caller, &words, self.inner.get(caller, request))
    }
}
