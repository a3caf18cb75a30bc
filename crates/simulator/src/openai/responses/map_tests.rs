//! One reply, streamed and whole.

use super::*;
use crate::http::samples;

#[test]
fn a_reply_as_events() {
    let question = samples::question();
    let reply = samples::reply(&question);
    insta::assert_snapshot!(samples::on_the_wire(&frames(&question, &reply)));
}

#[test]
fn a_reply_in_one_piece() {
    let question = samples::question();
    let reply = samples::reply(&question);
    insta::assert_json_snapshot!(response(&question, &reply, Stage::Done));
}
