//! Which hosts and origins are accepted.

use super::*;

fn judged(
    origins: &Origins,
    host: &str,
    origin: Option<&str>,
) -> Result<RequestOrigin, OriginError> {
    let mut headers = HeaderMap::new();
    if !host.is_empty() {
        headers.insert(header::HOST, host.parse().unwrap());
    }
    if let Some(origin) = origin {
        headers.insert(header::ORIGIN, origin.parse().unwrap());
    }
    origins.check(&Method::GET, &headers, &Uri::from_static("/v1/tools"))
}

#[test]
fn on_the_own_machine_only_its_own_names_are_answered() {
    let own = Origins::default();
    for host in ["localhost:7272", "LOCALHOST", "127.0.0.1:7272", "127.0.0.2", "[::1]:80", "[::1]"]
    {
        assert_eq!(judged(&own, host, None), Ok(RequestOrigin::Here), "{host}");
    }
    for host in ["evil.example", "evil.example:7272", "localhost.evil.example", "10.0.0.1", ""] {
        assert_eq!(judged(&own, host, None), Err(OriginError::Name(host.to_owned())), "{host}");
    }
}

#[test]
fn a_host_with_anything_around_its_name_is_refused() {
    let named = AllowedHosts::OwnAnd(vec!["agent.lan".to_owned()]);
    for hosts in [AllowedHosts::Own, named, AllowedHosts::Any] {
        let origins = Origins { hosts, ..Origins::default() };
        for host in [
            "localhost:80@evil.example",
            "localhost@evil.example",
            "[::1]evil.example",
            "[::1]:80evil",
            "[::1",
            "[127.0.0.1]",
            "[localhost]",
            "localhost:",
            "localhost:+80",
            "localhost:65536",
            "localhost:80:80",
            "localhost/",
            "localhost evil.example",
            "localhost,evil.example",
            "::1",
            ":80",
            "",
        ] {
            let found = judged(&origins, host, None);
            assert_eq!(found, Err(OriginError::Name(host.to_owned())), "{origins:?}");
        }
    }
}

#[test]
fn several_hosts_are_refused() {
    let mut headers = HeaderMap::new();
    headers.append(header::HOST, HeaderValue::from_static("localhost"));
    headers.append(header::HOST, HeaderValue::from_static("evil.example"));
    for uri in ["/v1/tools", "http://localhost/v1/tools"] {
        let found = Origins::default().check(&Method::GET, &headers, &Uri::from_static(uri));
        assert_eq!(found, Err(OriginError::Name("localhost, evil.example".to_owned())), "{uri}");
    }
}

#[test]
fn further_names_are_those_that_were_given() {
    let origins =
        Origins { hosts: AllowedHosts::OwnAnd(vec!["agent.lan".to_owned()]), ..Origins::default() };
    assert_eq!(judged(&origins, "Agent.LAN:8080", None), Ok(RequestOrigin::Here));
    assert!(judged(&origins, "other.lan", None).is_err());
    let any = Origins { hosts: AllowedHosts::Any, ..Origins::default() };
    assert_eq!(judged(&any, "whatever.example", None), Ok(RequestOrigin::Here));
}

#[test]
fn our_own_page_is_let_in_and_others_are_not() {
    let own = Origins::default();
    for (host, origin) in [
        ("localhost:7272", "http://localhost:7272"),
        ("localhost:80", "http://localhost"),
        ("localhost", "https://localhost"),
    ] {
        assert_eq!(judged(&own, host, Some(origin)), Ok(RequestOrigin::Here), "{origin}");
    }
    for origin in [
        "https://evil.example",
        "http://localhost:3000",
        "null",
        "",
        "http://localhost:7272.evil.example",
        "file://localhost:7272",
        "http://",
    ] {
        let found = judged(&own, "localhost:7272", Some(origin));
        assert_eq!(found, Err(OriginError::Page(origin.to_owned())), "{origin}");
    }
}

#[test]
fn pages_from_elsewhere_are_let_in_by_name() {
    let allowed = vec!["http://localhost:3000".to_owned()];
    let origins = Origins { allowed, ..Origins::default() };
    let found = judged(&origins, "localhost:7272", Some("http://localhost:3000"));
    assert_eq!(
        found,
        Ok(RequestOrigin::Allowed(HeaderValue::from_static("http://localhost:3000")))
    );
    assert!(judged(&origins, "localhost:7272", Some("http://localhost:30000")).is_err());
}

#[test]
fn an_address_in_the_request_line_counts() {
    let mut headers = HeaderMap::new();
    headers.insert(header::HOST, HeaderValue::from_static("localhost"));
    let uri = Uri::from_static("http://evil.example/v1/tools");
    let found = Origins::default().check(&Method::GET, &headers, &uri);
    assert_eq!(found, Err(OriginError::Name("evil.example".to_owned())));
}

#[test]
fn a_change_from_a_page_of_another_site_is_refused_although_its_origin_is_hidden() {
    let judged = |method: Method, site: &str, origin: Option<&str>| {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost:7272"));
        headers.insert(FETCH_SITE, site.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let allowed = vec!["https://app.example".to_owned()];
        let origins = Origins { allowed, ..Origins::default() };
        origins.check(&method, &headers, &Uri::from_static("/v1/conversations")).is_ok()
    };
    for site in ["cross-site", "same-site", "something"] {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            assert!(!judged(method.clone(), site, None), "{method} {site}");
            assert!(
                !judged(method.clone(), site, Some("http://localhost:7272")),
                "{method} {site}"
            );
            assert!(judged(method.clone(), site, Some("https://app.example")), "{method} {site}");
        }
        assert!(judged(Method::GET, site, None), "a link to the page may be followed");
    }
    assert!(judged(Method::POST, "same-origin", Some("http://localhost:7272")));
    assert!(judged(Method::POST, "none", None), "the person typed the address");
}
