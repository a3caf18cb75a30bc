//! Every error of Gemini.

use super::FAULTS;
use crate::text::fault::page;

#[test]
fn every_error_has_a_meaning() {
    insta::assert_snapshot!(page(&FAULTS));
}
