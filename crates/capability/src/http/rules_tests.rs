//! Which URLs pass, before any name is resolved.

use super::{HttpOptions, Rules};

const DECLARED: &[&str] = &[
    "api.example.com",
    "b.example:8443",
    "127.0.0.1",
    "169.254.169.254",
    "[::1]",
    "bücher.example",
];

fn admit(options: &HttpOptions, url: &str) -> Result<String, String> {
    let declared: Vec<String> = DECLARED.iter().map(ToString::to_string).collect();
    let admitted = Rules::new(options).unwrap().admit(&declared, url);
    admitted.map(|url| url.to_string()).map_err(|fault| fault.to_string())
}

fn check(url: &str, refusal: &str) {
    let expected = Err(format!("REFUSED: {refusal}"));
    assert_eq!(admit(&HttpOptions::default(), url), expected, "{url}");
}

fn check_admitted(urls: &[&str]) {
    for url in urls {
        assert!(admit(&HttpOptions::default(), url).is_ok(), "{url}");
    }
}

fn check_undeclared(url: &str, place: &str) {
    let add = format!("add \"http:{place}\" to the tool's capabilities");
    check(url, &format!("`{place}` is not declared; {add}"));
}

#[test]
fn a_declared_host_is_admitted_in_any_spelling() {
    check_admitted(&[
        "https://api.example.com/path?q=1#part",
        "https://API.Example.COM",
        "https://api.example.com:443/",
        "https://b.example:8443/",
        "https://xn--bcher-kva.example/",
        "HTTPS://BÜCHER.example/",
        "https:\\\\api.example.com\\path",
    ]);
}

#[test]
fn another_host_is_refused_and_named() {
    check_undeclared("https://evil.example/", "evil.example");
    check_undeclared("https://sub.api.example.com/", "sub.api.example.com");
    check_undeclared("https://example.com/", "example.com");
    check_undeclared("https://api.example.com.evil.example/", "api.example.com.evil.example");
    check_undeclared("https://api.example.com./", "api.example.com.");
    check_undeclared("https://evil.example/@api.example.com", "evil.example");
    check_undeclared("https://evil.example#@api.example.com", "evil.example");
    check_undeclared("https://evil.example\\@api.example.com", "evil.example");
}

#[test]
fn another_port_is_refused() {
    check_undeclared("https://api.example.com:8443/", "api.example.com:8443");
    check_undeclared("https://api.example.com:80/", "api.example.com:80");
    check_undeclared("https://b.example/", "b.example");
}

#[test]
fn user_info_is_refused() {
    let refusal = "the URL holds a user name or password; send a header instead";
    for user in ["user", "user:password", ":password", "evil.example"] {
        check(&format!("https://{user}@api.example.com/"), refusal);
    }
}

#[test]
fn other_schemes_are_refused() {
    check(
        "http://api.example.com/",
        "plain http to `api.example.com` is not allowed; use https, or add the host to `allow_plain` of [http] in aileron.toml",
    );
    check("ftp://api.example.com/", "expected an https URL, found `ftp`");
    check("ws://api.example.com/", "expected an https URL, found `ws`");
    for url in ["file:///etc/passwd", "data:text/plain,a", "unix:/run/a.sock"] {
        check(url, "expected a URL with a host");
    }
}

#[test]
fn what_is_no_url_is_refused() {
    check("/path", "expected a whole URL: relative URL without a base");
    check("", "expected a whole URL: relative URL without a base");
    check("https://", "expected a whole URL: empty host");
    check("https://a b/", "expected a whole URL: invalid international domain name");
    check("https://api.example.com:99999/", "expected a whole URL: invalid port number");
    let long = format!("https://api.example.com/{}", "a".repeat(8192));
    check(&long, "the URL has more than 8192 bytes");
}

#[test]
fn a_private_address_is_refused_in_every_spelling_though_declared() {
    let loopback = "`127.0.0.1` leads to an address that is not public";
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.0x1",
        "１２７.0.0.1",
        "127。0。0。1",
        "%31%32%37.1",
        "127.0.0.1.",
    ] {
        check(&format!("https://{host}/"), loopback);
    }
    check("https://2852039166/", "`169.254.169.254` leads to an address that is not public");
    check("https://[0:0:0:0:0:0:0:1]/", "`[::1]` leads to an address that is not public");
    check_undeclared("https://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]");
}

#[test]
fn options_open_single_hosts() {
    let options = HttpOptions {
        allow_private: vec!["127.0.0.1".to_owned()],
        allow_plain: vec!["127.0.0.1".to_owned(), "API.example.com".to_owned()],
        ..HttpOptions::default()
    };
    for url in ["http://127.0.0.1/", "https://127.0.0.1/", "http://api.example.com/"] {
        assert_eq!(admit(&options, url).as_deref(), Ok(url));
    }
    for url in ["https://[::1]/", "https://169.254.169.254/", "http://b.example:8443/"] {
        assert!(admit(&options, url).is_err(), "{url}");
    }
}

#[test]
fn an_option_that_is_no_host_is_an_error() {
    for entry in ["localhost:80", "https://localhost", "::1", "", "a/b"] {
        let options = HttpOptions { allow_plain: vec![entry.to_owned()], ..HttpOptions::default() };
        let error = Rules::new(&options).unwrap_err().to_string();
        let expected = format!("expected a host name or address without a port, found `{entry}`");
        assert_eq!(error, expected);
    }
}

#[test]
fn what_was_declared_and_is_no_host_covers_nothing() {
    let rules = Rules::new(&HttpOptions::default()).unwrap();
    for entry in ["", "*", "*.example.com", "https://api.example.com", ":443", "api.example.com:"] {
        let outcome = rules.admit(&[entry.to_owned()], "https://api.example.com/");
        assert!(outcome.is_err(), "{entry}");
    }
}
