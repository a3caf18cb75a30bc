//! Answers of servers, good and bad.

use super::*;

#[test]
fn properties_that_were_found_are_told() {
    let text = r#"<?xml version="1.0"?>
<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>/mira/work/</href>
<propstat><prop><resourcetype><C:calendar/><collection/></resourcetype><displayname>Work &amp; play&#33;</displayname>
<C:supported-calendar-component-set><C:comp name="VEVENT"/><C:comp name="vjournal"/></C:supported-calendar-component-set>
<current-user-principal><href>/mira/</href></current-user-principal></prop><status>HTTP/1.1 200 OK</status></propstat>
<propstat><prop><C:calendar-home-set><href>/nowhere/</href></C:calendar-home-set></prop><status>HTTP/1.1 404 Not Found</status></propstat>
</response></multistatus>"#;
    let expected = Resource {
        href: "/mira/work/".to_owned(),
        display_name: Some("Work & play!".to_owned()),
        principal: Some("/mira/".to_owned()),
        is_calendar: true,
        components: Some(vec!["VEVENT".to_owned(), "VJOURNAL".to_owned()]),
        ..Resource::default()
    };
    assert_eq!(Multistatus::read(text).unwrap().resources, [expected]);
}

#[test]
fn the_same_names_of_other_namespaces_mean_nothing() {
    let text = r#"<d:multistatus xmlns:d="DAV:" xmlns:x="urn:x"><d:response><d:href>/a</d:href><d:propstat><d:prop>
<d:resourcetype><x:calendar/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>"#;
    assert!(!Multistatus::read(text).unwrap().resources[0].is_calendar);
}

#[test]
fn calendar_data_comes_as_text_or_as_cdata() {
    let answer = |data: &str| {
        format!(
            r#"<m:multistatus xmlns:m="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><m:response><m:href>/a</m:href><m:propstat><m:prop><c:calendar-data>{data}</c:calendar-data></m:prop><m:status>HTTP/1.1 200 OK</m:status></m:propstat></m:response></m:multistatus>"#
        )
    };
    for data in ["BEGIN:X&#13;\nA&lt;B", "<![CDATA[BEGIN:X\r\nA<B]]>"] {
        let read = Multistatus::read(&answer(data)).unwrap().calendar_data();
        assert_eq!(
            read.iter().map(|it| it.replace('\r', "")).collect::<Vec<_>>(),
            ["BEGIN:X\nA<B"]
        );
    }
}

#[test]
fn rubbish_is_refused() {
    let deep = format!("<multistatus xmlns='DAV:'>{}", "<a>".repeat(1000));
    for text in [
        "",
        "no xml at all",
        "<html><body>Sign in</body></html>",
        "<multistatus>",
        "<multistatus xmlns='DAV:'>",
        "<multistatus xmlns='DAV:'></wrong>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><multistatus xmlns='DAV:'><response><href>&b;</href></response></multistatus>",
        deep.as_str(),
        "\u{0}\u{1}\u{2}",
    ] {
        assert!(Multistatus::read(text).is_err(), "{text}");
    }
    assert_eq!(Multistatus::read("<multistatus xmlns='DAV:'/>"), Ok(Multistatus::default()));
}
