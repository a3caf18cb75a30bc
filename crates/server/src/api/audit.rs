//! The audit log: by filter and page, one record, the check of the chain, export. A person sees their own records,
//! operators and viewers everybody's.

use aileron_contract::{AuditRecord, CallId, ConversationId, UserId};
use aileron_store::{AuditFilter, OwnerFilter, StoreError};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::stream;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::request::{self, Path, Query};
use super::schema;
use crate::app::App;
use crate::error::{ApiError, ApiErrorCode};
use crate::request_checks::Caller;
use crate::role::Role;

/// Which records.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditQuery {
    conversation: Option<String>,
    user: Option<String>,
    tool: Option<String>,
    outcome: Option<String>,
    error: Option<String>,
    call: Option<String>,
    turn: Option<u64>,
    since: Option<u64>,
    until: Option<u64>,
    before: Option<u64>,
    limit: Option<usize>,
}

/// A page of records, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AuditPage {
    #[schemars(schema_with = "schema::audit_records")]
    records: Vec<AuditRecord>,
    /// Give this as `before` to get earlier records; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
}

/// The check of the hash chain.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ChainCheck {
    ok: bool,
    /// How many records were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    /// The record before the first one that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<ChainPosition>,
    /// The newest record.
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<ChainPosition>,
    /// The first record that breaks the chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<BrokenRecord>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChainPosition {
    seq: u64,
    hash: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BrokenRecord {
    seq: u64,
    why: String,
}

/// Maximum number of records on a page.
pub(super) const MAX_PAGE: usize = 500;

const PAGE: usize = 100;

const TOO_MANY_READS: &str =
    "too many exports and checks of the audit log run at the same time; wait until one has ended";

const RETRY_SECONDS: u32 = 5;

/// How many records an export reads ahead of a slow client.
const READ_AHEAD: usize = 64;

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
    Query(query): Query<AuditQuery>,
) -> Result<axum::Json<AuditPage>, ApiError> {
    let limit = request::page_size(query.limit, PAGE, MAX_PAGE)?;
    write_pending(&app).await;
    let before = query.before.unwrap_or(u64::MAX);
    let owners = Role::of(&app, &person).visible(&person);
    let filter = filter(query, &owners)?;
    let records = newest(&app, filter, owners, before, limit).await?;
    let before = records.last().filter(|_| records.len() == limit).map(|record| record.seq);
    Ok(axum::Json(AuditPage { records, before: before.filter(|seq| *seq > 1) }))
}

/// Writes the records that wait, so that a reader finds its own calls. A store that cannot be written can still be
/// read.
pub(super) async fn write_pending(app: &App) {
    let _ = app.store().flush().await;
}

/// The newest records that the owners filter lets through.
pub(super) async fn newest(
    app: &App,
    filter: AuditFilter,
    owners: OwnerFilter,
    before: u64,
    limit: usize,
) -> Result<Vec<AuditRecord>, ApiError> {
    let store = app.store().clone();
    let filter = AuditFilter { limit: Some(limit), ..filter };
    blocking(move || {
        let (mut found, mut before) = (Vec::new(), before);
        // The store filters by a person's id. Records of people who did not sign in have none, so these are
        // filtered here, page by page.
        while found.len() < limit {
            let page = store.newest_audit(&filter, before)?;
            let is_last = page.len() < limit;
            before = page.last().map_or(0, |record| record.seq);
            found.extend(page.into_iter().filter(|it| owners.includes(it.entry.user.as_ref())));
            if is_last {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    })
    .await
}

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Path(seq): Path<u64>,
) -> Result<axum::Json<AuditRecord>, ApiError> {
    write_pending(&app).await;
    let owners = Role::of(&app, &person).visible(&person);
    let found = newest(
        &app,
        AuditFilter { from: seq, ..AuditFilter::default() },
        owners,
        seq.saturating_add(1),
        1,
    );
    let found = found.await?.into_iter().find(|record| record.seq == seq);
    found.map(axum::Json).ok_or_else(|| ApiError::not_found("there is no such record"))
}

pub(super) async fn verify(
    State(app): State<App>,
    Caller(person): Caller,
) -> Result<axum::Json<ChainCheck>, ApiError> {
    Role::of(&app, &person).require_all()?;
    let permit = long_read(&app)?;
    write_pending(&app).await;
    let store = app.store().clone();
    let checked = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        store.verify_audit()
    });
    let checked = checked.await;
    let checked = checked.map_err(|error| ApiError::unavailable(error.to_string()))?;
    let position = |link: &aileron_contract::audit::Link| ChainPosition {
        seq: link.seq,
        hash: link.hash.to_string(),
    };
    Ok(axum::Json(match checked {
        Ok(report) => ChainCheck {
            ok: true,
            records: Some(report.records),
            base: Some(position(&report.base)),
            head: Some(position(&report.head)),
            broken: None,
        },
        Err(StoreError::BrokenChain(broken)) => ChainCheck {
            ok: false,
            records: None,
            base: None,
            head: None,
            broken: Some(BrokenRecord { seq: broken.seq, why: broken.why }),
        },
        Err(error) => return Err(error.into()),
    }))
}

/// All matching records, the oldest first, one JSON object a line.
pub(super) async fn export(
    State(app): State<App>,
    Caller(person): Caller,
    Query(query): Query<AuditQuery>,
) -> Result<Response, ApiError> {
    let owners = Role::of(&app, &person).visible(&person);
    if query.before.is_some() || query.limit.is_some() {
        return Err(ApiError::invalid("an export has no pages; leave out `before` and `limit`"));
    }
    let filter = filter(query, &owners)?;
    let permit = long_read(&app)?;
    write_pending(&app).await;
    let store = app.store().clone();
    let (lines, written) = mpsc::channel::<Result<Bytes, StoreError>>(READ_AHEAD);
    drop(tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let records = store.audit(filter);
        let visible = records.filter(|record| {
            record.as_ref().map_or(true, |it| owners.includes(it.entry.user.as_ref()))
        });
        for record in visible {
            let line = record.map(|record| {
                let mut line = serde_json::to_vec(&record).unwrap_or_default();
                line.push(b'\n');
                Bytes::from(line)
            });
            // The client has left.
            if lines.blocking_send(line).is_err() {
                break;
            }
        }
    }));
    let lines = stream::unfold(written, |mut written| async {
        written.recv().await.map(|line| (line, written))
    });
    let mut response = Response::new(Body::from_stream(lines));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    let name = HeaderValue::from_static("attachment; filename=\"audit.jsonl\"");
    headers.insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// A permit for a request that reads the whole log.
fn long_read(app: &App) -> Result<OwnedSemaphorePermit, ApiError> {
    let permit = app.long_reads().clone().try_acquire_owned();
    permit.map_err(|_| {
        ApiError::too_many(ApiErrorCode::TooManyRequests, TOO_MANY_READS, RETRY_SECONDS)
    })
}

fn filter(query: AuditQuery, owners: &OwnerFilter) -> Result<AuditFilter, ApiError> {
    let numbers = [
        ("since", query.since),
        ("until", query.until),
        ("turn", query.turn),
        ("before", query.before),
    ];
    numbers.into_iter().try_for_each(|(name, number)| request::exact(name, number).map(drop))?;
    let user = parsed_id("user", query.user, UserId::new)?;
    let own = match owners {
        OwnerFilter::Of(person) => person.clone(),
        OwnerFilter::Everybody => None,
    };
    Ok(AuditFilter {
        since: query.since,
        until: query.until,
        conversation: parsed_id("conversation", query.conversation, ConversationId::new)?,
        call_id: parsed_id("call", query.call, CallId::new)?,
        turn: query.turn,
        tool: query.tool,
        user: user.or(own),
        outcome: query.outcome,
        error: query.error,
        from: 0,
        limit: None,
    })
}

fn parsed_id<T, E: std::fmt::Display>(
    name: &str,
    text: Option<String>,
    parse: impl FnOnce(String) -> Result<T, E>,
) -> Result<Option<T>, ApiError> {
    let Some(text) = text else { return Ok(None) };
    if !request::is_printable(&text) {
        let message = format!("`{name}`: expected an id of printable characters, found {text:?}");
        return Err(ApiError::invalid(message));
    }
    parse(text).map(Some).map_err(|error| ApiError::invalid(format!("`{name}`: {error}")))
}

async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ApiError> {
    let read = tokio::task::spawn_blocking(read).await;
    Ok(read.map_err(|error| ApiError::unavailable(error.to_string()))??)
}

/// The query parameters, for the description of the API.
pub(super) fn parameters(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    let id = schema::opaque_id(generator).to_value();
    let text = || serde_json::json!({ "type": "string" });
    let number =
        || serde_json::json!({ "type": "integer", "minimum": 0, "maximum": request::MAX_EXACT });
    vec![
        ("conversation", id.clone()),
        ("user", id.clone()),
        ("tool", text()),
        ("outcome", text()),
        ("error", text()),
        ("call", id),
        ("turn", number()),
        ("since", number()),
        ("until", number()),
        ("before", number()),
        ("limit", serde_json::json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE })),
    ]
}
