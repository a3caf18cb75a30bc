//! The log line of a pending confirmation.

use super::*;

#[test]
fn the_token_of_a_question_is_shown_only_where_nobody_signs_in() {
    let address = SocketAddr::from(([127, 0, 0, 1], 7272));
    let shown = |approver| command(address, approver, "c-1", "secret-token");
    assert_eq!(
        shown(Approver::Here),
        "curl http://127.0.0.1:7272/v1/conversations/c-1/confirmations/secret-token \
         -H 'content-type: application/json' -d '{\"approve\": true}'"
    );
    assert_eq!(
        shown(Approver::SignedIn),
        "curl http://127.0.0.1:7272/v1/conversations/c-1/confirmations/$QUESTION \
         -H \"authorization: Bearer $TOKEN\" -H 'content-type: application/json' \
         -d '{\"approve\": true}'"
    );
}
