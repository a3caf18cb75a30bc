//! The event stream: everything that happens and that the caller may see, as server-sent events. Resumable with
//! `Last-Event-ID` as long as the events are kept and the process lives; they are kept while there are readers
//! and for a while after.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use aileron_store::OwnerFilter;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::app::App;
use crate::event_hub::{EventContent, EventsAfter, ServerEvent};
use crate::request_checks::Caller;
use crate::role::Role;

/// Interval of the comments that keep an idle connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// After this time the stream ends. The client connects again, and its credentials are checked again.
const MAX_AGE: Duration = Duration::from_secs(15 * 60);

const LAST_EVENT_ID: &str = "last-event-id";

pub(super) async fn stream(
    State(app): State<App>,
    Caller(person): Caller,
    headers: HeaderMap,
) -> impl IntoResponse {
    let owners = Role::of(&app, &person).visible(&person);
    let last = headers.get(LAST_EVENT_ID).and_then(|value| value.to_str().ok());
    let process = app.started_at();
    let position = last.map(|last| position(last, process));
    let reader = Reader::new(app, owners, position);
    Sse::new(reader.events()).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

/// The position in `<process>-<number>`; `None` if it is of another process.
fn position(id: &str, process: u64) -> Option<u64> {
    let (started, seq) = id.split_once('-')?;
    (started.parse() == Ok(process)).then(|| seq.parse().ok()).flatten()
}

/// One reader of the stream. While there is one, events are kept.
struct Reader {
    app: App,
    owners: OwnerFilter,
    changes: watch::Receiver<u64>,
    /// The number of the last event that was read.
    read: u64,
    ends_at: Instant,
    /// Events that are read and not sent yet, the next one last.
    pending: Vec<Event>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        let event_hub = self.app.event_hub();
        event_hub.log().leave(event_hub.now());
    }
}

impl Reader {
    /// `position`: where the reader was, if it resumes; `Some(None)` if that is not known here.
    fn new(app: App, owners: OwnerFilter, position: Option<Option<u64>>) -> Self {
        let log = app.event_hub().log();
        log.enter();
        let (changes, newest) = (log.changes(), log.newest());
        let hello = ("hello", json!({ "now": app.clock().now_ms() }));
        let (read, first) = match position {
            None => (newest, hello),
            Some(Some(seq)) if matches!(log.after(seq), EventsAfter::Found(_)) => (seq, hello),
            Some(_) => (newest, ("reset", json!({}))),
        };
        let (ends_at, pending) = (Instant::now() + MAX_AGE, Vec::new());
        let mut reader = Self { app, owners, changes, read, ends_at, pending };
        reader.pending.push(reader.event(first.0, read, &first.1.to_string()));
        reader
    }

    fn event(&self, name: &str, seq: u64, data: &str) -> Event {
        let id = format!("{}-{seq}", self.app.started_at());
        Event::default().id(id).event(name).data(data)
    }

    fn events(self) -> impl Stream<Item = Result<Event, Infallible>> {
        futures_util::stream::unfold(self, |mut reader| async {
            reader.next().await.map(|event| (Ok(event), reader))
        })
    }

    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.pending.pop() {
                return Some(event);
            }
            if self.app.event_hub().log().newest() != self.read {
                self.read_more();
                continue;
            }
            let stopping = self.app.stopping().clone();
            tokio::select! {
                biased;
                () = stopping.cancelled() => return None,
                () = sleep_until(self.ends_at) => return None,
                changed = self.changes.changed() => changed.ok()?,
            }
        }
    }

    fn read_more(&mut self) {
        match self.app.event_hub().log().after(self.read) {
            EventsAfter::Found(events) => {
                self.read = events.last().map_or(self.read, |event| event.seq);
                let visible = events.iter().rev().filter(|event| self.may_see(event));
                let visible =
                    visible.map(|one| self.event(one.content.name(), one.seq, one.data()));
                self.pending = visible.collect();
            }
            EventsAfter::Missed { newest } => {
                self.read = newest;
                self.pending = vec![self.event("reset", newest, "{}")];
            }
        }
    }

    fn may_see(&self, event: &Arc<ServerEvent>) -> bool {
        match (&event.conversation, &event.content) {
            (Some((_, user)), _) => self.owners.includes(user.as_ref()),
            (None, EventContent::Unblocked { user }) => self.owners.includes(Some(user)),
            (None, _) => true,
        }
    }
}
