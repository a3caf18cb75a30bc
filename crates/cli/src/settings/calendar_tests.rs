//! Which calendar the settings mean.

use aileron_capability::SystemClock;

use super::*;

fn engine(text: &str) -> Result<bool, String> {
    let settings: CalendarSettings = toml::from_str(text).unwrap();
    let made = settings.engine(&HttpSettings::default(), Arc::new(SystemClock));
    made.map(|engine| engine.is_some()).map_err(|failure| failure.to_string())
}

#[test]
fn the_engine_is_the_one_that_is_named() {
    assert_eq!(engine(""), Ok(true));
    assert_eq!(engine("engine = 'none'"), Ok(false));
    let server = "engine = 'caldav'\n[caldav]\nurl = 'https://dav.example.com/'";
    assert_eq!(engine(server), Ok(true));
    assert_eq!(
        engine("[link]\nkind = 'pattern'\npattern = 'https://meet.example.com/{id}'"),
        Ok(true)
    );
}

#[test]
fn what_does_not_fit_together_is_refused() {
    for (text, expected) in [
        ("time_zone = 'Mars/Olympus'", "expected a time zone such as Europe/Berlin"),
        ("engine = 'caldav'", "expected `caldav.url`, the address of the server"),
        (
            "engine = 'caldav'\n[caldav]\nurl = 'http://dav.example.com/'",
            "expected https, found http",
        ),
        ("engine = 'caldav'\n[caldav]\nurl = 'nowhere'", "expected the address of a CalDAV server"),
        (
            "engine = 'caldav'\n[caldav]\nurl = 'https://a:b@dav.example.com/'",
            "without a user in it",
        ),
        (
            "engine = 'caldav'\n[caldav]\nurl = 'https://dav.example.com/'\nuser = 'ada'",
            "expected `user` and `password`, or `token` alone",
        ),
        (
            "engine = 'caldav'\n[caldav]\nurl = 'https://dav.example.com/'\ntoken = 'NOT_SET_ANYWHERE'",
            "environment variable NOT_SET_ANYWHERE, found none",
        ),
        (
            "engine = 'caldav'\n[caldav]\nurl = 'https://dav.example.com/'\npeople = { 'a@b.c' = 'https://other.example.com/a/' }",
            "expected a calendar on the same server",
        ),
        (
            "[link]\nkind = 'pattern'\npattern = 'https://meet.example.com/'",
            "found one without {id}",
        ),
        ("[link]\nkind = 'pattern'\npattern = 'javascript:{id}'", "found one of another scheme"),
        ("[link]\nkind = 'zoom'\n[link.zoom]\naccount = 'NOT_SET_ANYWHERE'", "NOT_SET_ANYWHERE"),
        (
            "[link]\nkind = 'zoom'\n[link.zoom]\naccount = 'PATH'\nclient_id = 'PATH'\nclient_secret = 'PATH'\napi_url = 'http://zoom.lan/v2'",
            "expected https, found http",
        ),
    ] {
        let fault = engine(text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}
