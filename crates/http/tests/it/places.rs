//! Where a request may go, and where a server may send it.

use aileron_capability::http::{HttpOptions, HttpRequest};

use super::server::{Server, ok, open, redirect, trusting};
use super::{Outcome, fetch, line};

/// Expects a refusal, and that nothing was asked of the server.
async fn check_refused(server: &Server, outcome: Outcome, message: &str) {
    assert_eq!(line(outcome), format!("REFUSED: {message}"));
    assert_eq!(server.requests(), [""; 0]);
}

#[tokio::test]
async fn another_host_is_refused() {
    let server = Server::plain(|_, _| ok("")).await;
    let here = server.at("127.0.0.1");
    let request = HttpRequest::get(format!("http://{here}/"));
    let outcome = fetch(open(), &["api.example.com"], request).await;
    let message =
        format!("`{here}` is not declared; add \"http:{here}\" to the tool's capabilities");
    check_refused(&server, outcome, &message).await;
}

#[tokio::test]
async fn a_private_address_is_refused_in_every_spelling() {
    let server = Server::plain(|_, _| ok("")).await;
    let here = server.at("127.0.0.1");
    let options = HttpOptions { allow_private: Vec::new(), ..open() };
    for host in ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1"] {
        let request = HttpRequest::get(format!("http://{}/", server.at(host)));
        let outcome = fetch(options.clone(), &[&here], request).await;
        let message = "`127.0.0.1` leads to an address that is not public";
        check_refused(&server, outcome, message).await;
    }
}

#[tokio::test]
async fn a_name_that_resolves_to_a_private_address_is_refused() {
    let server = Server::tls(|_, _| ok("")).await;
    let here = server.at("localhost");
    let request = HttpRequest::get(format!("https://{here}/"));
    let outcome = fetch(trusting(), &[&here], request).await;
    let message = format!("`{here}` leads to an address that is not public");
    check_refused(&server, outcome, &message).await;
}

/// The result of a redirect to `location`, whose host is declared if possible.
async fn redirected(location: &str, options: HttpOptions) -> String {
    let location = location.to_owned();
    let server =
        Server::plain(move |port, _| redirect(302, &location.replace("PORT", &port.to_string())))
            .await;
    let here = server.at("127.0.0.1");
    let local = server.at("localhost");
    let declared = [here.as_str(), &local, "169.254.169.254", "10.0.0.1", "[fd00:ec2::254]"];
    let outcome = fetch(options, &declared, HttpRequest::get(format!("http://{here}/"))).await;
    assert_eq!(server.requests().len(), 1);
    line(outcome).replace(&format!(":{}", server.port), ":PORT")
}

#[tokio::test]
async fn a_redirect_to_another_host_is_refused_and_named() {
    for location in ["https://evil.example/", "//evil.example/"] {
        let options = HttpOptions {
            allow_plain: vec!["127.0.0.1".to_owned(), "evil.example".to_owned()],
            ..open()
        };
        assert_eq!(
            redirected(location, options).await,
            "REFUSED: redirected by `127.0.0.1:PORT`: `evil.example` is not declared; \
             add \"http:evil.example\" to the tool's capabilities"
        );
    }
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_refused() {
    for (location, host) in [
        ("https://169.254.169.254/latest/meta-data/", "169.254.169.254"),
        ("https://0xa9fea9fe/", "169.254.169.254"),
        ("https://10.1/", "10.0.0.1"),
        ("https://[fd00:ec2::254]/", "[fd00:ec2::254]"),
    ] {
        let expected = format!(
            "REFUSED: redirected by `127.0.0.1:PORT`: `{host}` leads to an address that is not public"
        );
        assert_eq!(redirected(location, open()).await, expected);
    }
}

#[tokio::test]
async fn a_redirect_to_a_name_with_a_private_address_is_refused() {
    assert_eq!(
        redirected("https://localhost:PORT/", open()).await,
        "REFUSED: `localhost:PORT` leads to an address that is not public"
    );
}

#[tokio::test]
async fn a_redirect_cannot_drop_tls_or_add_user_info() {
    assert_eq!(
        redirected("http://localhost:PORT/", open()).await,
        "REFUSED: redirected by `127.0.0.1:PORT`: plain http to `localhost` is not allowed; use https, or add the host to `allow_plain` of [http] in aileron.toml"
    );
    assert_eq!(
        redirected("http://user@127.0.0.1:PORT/", open()).await,
        "REFUSED: redirected by `127.0.0.1:PORT`: the URL holds a user name or password; \
         send a header instead"
    );
}

#[tokio::test]
async fn a_request_that_is_not_allowed_leaves_nothing_on_the_wire() {
    let server = Server::plain(|_, _| ok("")).await;
    let here = server.at("127.0.0.1");
    let get = || HttpRequest::get(format!("http://{here}/"));
    let host = || [("Host".to_owned(), "evil.example".to_owned())].into();
    let method = |name: &str| HttpRequest { method: name.to_owned(), ..get() };
    let methods = "expected a method among GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
    for (request, message) in [
        (method("CONNECT"), methods),
        (method("GET / "), methods),
        (HttpRequest { headers: host(), ..get() }, "the header `host` may not be set"),
        (
            HttpRequest { body: Some("12345".to_owned()), ..get() },
            "the request's body has more than 4 bytes",
        ),
    ] {
        let options = HttpOptions { max_request_bytes: 4, ..open() };
        check_refused(&server, fetch(options, &[&here], request).await, message).await;
    }
}

#[test]
fn roots_that_are_no_certificates_are_an_error() {
    for (pem, expected) in [
        ("", "expected root certificates in PEM: there is no certificate in it"),
        ("no PEM", "expected root certificates in PEM: there is no certificate in it"),
    ] {
        let options = HttpOptions { extra_roots: Some(pem.to_owned()), ..HttpOptions::default() };
        assert_eq!(aileron_http::client(options).unwrap_err().to_string(), expected);
    }
}
