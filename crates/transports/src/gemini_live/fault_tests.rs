//! Every close code, before and after the setup was taken.

use std::fmt::Write;

use super::*;

#[test]
fn every_code_has_a_meaning() {
    let mut table = String::new();
    let closes =
        [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 4999];
    let statuses = [301, 400, 401, 403, 404, 408, 429, 500, 503];
    let codes = [CloseCode::Missing].into_iter();
    let codes = codes.chain(closes.map(CloseCode::Code)).chain(statuses.map(CloseCode::Http));
    for code in codes {
        let severities = [Begun::Beginning, Begun::Resuming, Begun::Ready]
            .map(|begun| format!("{:?}", classify(code, "", begun).severity));
        let reason = classify(code, "", Begun::Beginning).reason;
        writeln!(table, "{:<11} {:<24} {reason}", code.to_string(), severities.join(" ")).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_handle_that_is_not_taken_is_tried_without() {
    let fault = classify(CloseCode::Code(1007), "invalid handle", Begun::Resuming);
    assert_eq!(fault.severity, Retry);
    assert_eq!(fault.reason, OLD_HANDLE);
    assert_eq!(fault.about, About::Setup);
}

#[test]
fn the_words_of_the_provider_are_kept_and_bounded() {
    let fault = classify(CloseCode::Code(1011), &"x".repeat(5_000), Begun::Ready);
    assert_eq!(fault.message.len(), 300);
    assert_eq!(fault.code, "close 1011");
    assert_eq!(fault.about, About::Connection);
}
