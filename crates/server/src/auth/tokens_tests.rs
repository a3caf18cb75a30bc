//! Each token identifies its person; a faulty list of tokens is refused with the reason.

use super::*;

const LIST: &str = "\
# who  token                 what they may do
ada    ada-0123456789abcdef  kb:finance admin
bob    bob-0123456789abcdef
";

#[test]
fn a_token_is_somebodys() {
    let tokens = Tokens::read(LIST).unwrap();
    let ada = tokens.person("ada-0123456789abcdef").unwrap();
    assert_eq!(ada.id, Some(UserId::new("ada").unwrap()));
    assert_eq!(ada.scopes, ["kb:finance", "admin"]);
    assert_eq!(tokens.person("bob-0123456789abcdef").unwrap().scopes, [""; 0]);
}

#[test]
fn a_token_may_have_claims() {
    let list = "ada ada-0123456789abcdef operator claim:org=acme claim:plan=a=b";
    let ada = Tokens::read(list).unwrap().people().next().unwrap().clone();
    assert_eq!(ada.scopes, ["operator"]);
    assert_eq!(json!(ada.claims), json!({ "org": "acme", "plan": "a=b" }));
}

#[test]
fn what_is_not_a_token_is_nobodys() {
    let tokens = Tokens::read(LIST).unwrap();
    for token in ["", "ada", "ada-0123456789abcde", "ada-0123456789abcdef ", "ADA-0123456789ABCDEF"]
    {
        assert_eq!(tokens.person(token), None, "{token:?}");
    }
    assert_eq!(Tokens::default().person(""), None);
}

#[test]
fn a_list_may_be_one_line() {
    let tokens = Tokens::read("ada ada-0123456789abcdef; bob bob-0123456789abcdef").unwrap();
    assert_eq!(tokens.len(), 2);
}

#[test]
fn faults_are_named_by_their_place_and_quote_no_token() {
    for (list, expected) in [
        ("ada", "entry 1: expected `<user> <token> [scope]...`, found less"),
        ("\nada secret", "entry 2: expected a token of at least 16 characters, found 6"),
        (
            "ada same-0123456789abcdef;bob same-0123456789abcdef",
            "entry 2: the same token was given out before",
        ),
        (
            "ada ada-0123456789abcdef claim:org",
            "entry 1: expected `claim:<name>=<value>`, found \"claim:org\"",
        ),
    ] {
        assert_eq!(Tokens::read(list).unwrap_err().to_string(), expected);
    }
}

#[test]
fn no_token_is_shown_by_accident() {
    assert_eq!(format!("{:?}", Tokens::read(LIST).unwrap()), "Tokens(2)");
}
