//! The page for a browser: its files, and its first file at the address of every view.
//!
//! The files need no authentication: they contain nothing but the program of the page, which signs in. A file
//! is sent compressed if the browser accepts it; ranges are not supported.

mod encoding;
mod headers;

use aileron_page::{Page, PageFile};
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use self::encoding::Encoding;
use crate::app::App;
use crate::entity_tag::is_held;

/// First parts of the addresses that have a view.
const VIEWS: [&str; 5] = ["", "approvals", "c", "operate", "tools"];

/// First parts of the addresses that belong to programs. They never answer with the page.
const PROGRAMS: [&str; 5] = ["api", "health", "metrics", "openapi.json", "v1"];

/// The folder of files whose names contain a hash. One that is gone is missing for everybody.
const FILES: &str = "assets";

/// Whether a request is one for the page: for one of its files, or from a browser that opens an address.
pub(crate) fn is_page_request(app: &App, request: &Request) -> bool {
    let path = request.uri().path();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let first = first_part(path);
    reads && !PROGRAMS.contains(&first) && {
        first == FILES || is_file(app.page(), path) || accepts_html(request.headers())
    }
}

/// The page at an address; `None` if the request is not one for the page.
pub(crate) async fn respond(app: &App, path: &str, headers: &HeaderMap) -> Option<Response> {
    if PROGRAMS.contains(&first_part(path)) {
        return None;
    }
    if let Some(file) = file(app.page(), path).await {
        return Some(send(StatusCode::OK, &file, headers));
    }
    if !accepts_html(headers) {
        return None;
    }
    let status = match VIEWS.contains(&first_part(path)) {
        true => StatusCode::OK,
        false => StatusCode::NOT_FOUND,
    };
    let index = file(app.page(), "/index.html").await?;
    Some(send(status, &index, headers))
}

/// Whether the client is a browser that opens an address.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).into_iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.to_ascii_lowercase().contains("text/html"))
}

fn first_part(path: &str) -> &str {
    path.trim_start_matches('/').split('/').next().unwrap_or_default()
}

fn is_file(page: &Page, path: &str) -> bool {
    match page {
        Page::BuiltIn => relative(path).is_some_and(|path| page.find(path).is_some()),
        // The answer would read the disk; nothing secret is in the folder of a page.
        Page::Folder(_) => true,
    }
}

async fn file(page: &Page, path: &str) -> Option<PageFile> {
    let path = relative(path)?;
    match page {
        Page::BuiltIn => page.find(path),
        Page::Folder(_) => {
            let (page, path) = (page.clone(), path.to_owned());
            tokio::task::spawn_blocking(move || page.find(&path)).await.ok().flatten()
        }
    }
}

fn relative(path: &str) -> Option<&str> {
    path.strip_prefix('/')
}

fn send(status: StatusCode, file: &PageFile, request: &HeaderMap) -> Response {
    let encoding = Encoding::choose(file, request);
    let tag = encoding.tag(file);
    let mut response = match status == StatusCode::OK && is_held(request, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => (status, Body::from(encoding.bytes(file))).into_response(),
    };
    headers::set(response.headers_mut(), file, encoding, &tag);
    response
}
