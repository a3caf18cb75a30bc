//! Which registry a conversation gets, in words and in numbers.

use aileron_contract::{ConversationId, UserId};
use serde_json::{Value, json};

use super::*;
use crate::person::Person;

fn rules(given: Value) -> Vec<AssignmentRule> {
    serde_json::from_value(given).unwrap()
}

fn assignment(given: Value) -> Assignment {
    Assignment::new(rules(given), ["blue", "green"]).unwrap()
}

fn faults(given: Value) -> Vec<String> {
    Assignment::new(rules(given), ["blue", "green"]).unwrap_err()
}

fn ada() -> Person {
    Person::known(UserId::new("ada").unwrap())
}

fn of_org(org: Value) -> Person {
    let mut person = ada();
    person.claims.insert("org".to_owned(), org);
    person
}

fn given(assignment: &Assignment, person: &Person, wanted: Option<&str>) -> String {
    let id = ConversationId::new("conversation-1").unwrap();
    match assignment.assign(NewConversation { person, id: &id, wanted }) {
        Ok(assigned) => assigned.name,
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_first_rule_that_matches_wins_and_nobody_is_left_without() {
    let assignment = assignment(json!([
        { "registry": "blue", "users": ["mira", "ada"] },
        { "registry": "green", "claim": "org", "values": ["acme"] },
        { "registry": "blue", "scope": "beta" },
    ]));
    let acme = Person { id: Some(UserId::new("zoe").unwrap()), ..of_org(json!("acme")) };
    let beta = Person { scopes: vec!["beta".to_owned()], ..Person::default() };
    assert_eq!(given(&assignment, &of_org(json!("acme")), None), "blue");
    assert_eq!(given(&assignment, &acme, None), "green");
    assert_eq!(given(&assignment, &beta, None), "blue");
    assert_eq!(given(&assignment, &Person::default(), None), "default");
    assert_eq!(given(&Assignment::default(), &ada(), None), "default");
}

#[test]
fn a_claim_may_be_text_a_number_or_a_list_and_may_be_missing() {
    let assignment = assignment(json!([
        { "registry": "blue", "claim": "org", "values": ["acme", "7", "true"] },
    ]));
    for (org, expected) in [
        (json!("acme"), "blue"),
        (json!(7), "blue"),
        (json!(true), "blue"),
        (json!(["other", "acme"]), "blue"),
        (json!("acme corp"), "default"),
        (json!(["other"]), "default"),
        (json!({ "acme": "acme" }), "default"),
        (json!(null), "default"),
    ] {
        assert_eq!(given(&assignment, &of_org(org.clone()), None), expected, "{org}");
    }
    assert_eq!(given(&assignment, &ada(), None), "default");
}

#[test]
fn all_conditions_of_a_rule_must_hold() {
    let assignment = assignment(json!([
        { "registry": "blue", "claim": "org", "values": ["acme"], "scope": "beta" },
        { "registry": "green", "claim": "org", "values": ["acme"], "percent": 100 },
    ]));
    let scopes = vec!["beta".to_owned()];
    let both = Person { scopes: scopes.clone(), ..of_org(json!("acme")) };
    assert_eq!(given(&assignment, &both, None), "blue");
    assert_eq!(given(&assignment, &of_org(json!("acme")), None), "green");
    assert_eq!(given(&assignment, &Person { scopes, ..ada() }, None), "default");
}

#[test]
fn a_request_gets_what_it_names_only_if_a_rule_allows_it() {
    let assignment = assignment(json!([
        { "registry": "green", "users": ["mira"] },
        { "registry": "blue", "requested": true },
        { "requested": true, "scope": "tester" },
    ]));
    let tester = Person { scopes: vec!["tester".to_owned()], ..ada() };
    let mira = Person::known(UserId::new("mira").unwrap());
    assert_eq!(given(&assignment, &ada(), Some("blue")), "blue");
    assert_eq!(given(&assignment, &tester, Some("green")), "green");
    assert_eq!(given(&assignment, &mira, Some("blue")), "blue", "before the rule for mira");
    // A person may name the registry that they get without asking.
    assert_eq!(given(&assignment, &mira, Some("green")), "green");
    assert_eq!(given(&assignment, &ada(), Some("default")), "default");
    for (person, wanted) in [(&ada(), "green"), (&mira, "default")] {
        let refused = given(&assignment, person, Some(wanted));
        assert!(refused.starts_with("no rule allows this person to ask for"), "{refused}");
    }
    let unknown = given(&assignment, &ada(), Some("blu"));
    assert_eq!(unknown, "expected a `registry` of blue, default, green, found \"blu\"");
}

#[test]
fn every_fault_is_named_with_its_rule() {
    assert_eq!(
        faults(json!([
            { "registry": "gren", "users": [] },
            { "percent": 10 },
            { "registry": "blue", "claim": "org" },
            { "registry": "blue", "values": ["acme"], "salt": "x" },
            { "registry": "red", "claim": "org", "values": [] },
        ])),
        [
            "rule 1 of [[server.assignment]]: expected at least one id in `users`, so that it can match",
            "rule 1 of [[server.assignment]]: there is no registry \"gren\"; did you mean `green`?",
            "rule 2 of [[server.assignment]]: expected `registry`, the name of the registry that it gives",
            "rule 3 of [[server.assignment]]: expected `values` with `claim`: the values that match",
            "rule 4 of [[server.assignment]]: expected `claim` with `values`: the claim that has one of them",
            "rule 4 of [[server.assignment]]: expected `percent` with `salt`, which only shuffles a percentage",
            "rule 5 of [[server.assignment]]: expected at least one value in `values`, so that it can match",
            "rule 5 of [[server.assignment]]: there is no registry \"red\"; expected one of blue, default, green",
        ]
    );
    let percent = |percent: f64| serde_json::from_value::<Percent>(json!(percent)).is_ok();
    assert!(percent(0.0) && percent(0.01) && percent(33.33) && percent(100.0));
    assert!(!percent(100.01) && !percent(-1.0) && !percent(0.001) && !percent(150.0));
    for name in ["blue", "a", "v2_x-1", "0"] {
        assert_eq!(check_name(name), Ok(()));
    }
    for name in ["", "default", "Blue", "-a", "a b", "a.json", "é", &"a".repeat(41)] {
        assert!(check_name(name).is_err(), "{name}");
    }
}

#[test]
fn rules_that_match_nobody_are_told() {
    let assignment = assignment(json!([
        { "registry": "blue", "percent": 0 },
        { "registry": "green" },
        { "registry": "blue", "users": ["ada"] },
        { "requested": true },
    ]));
    assert_eq!(
        assignment.idle_rules(),
        [
            "rule 1 gives its registry to 0 % of the people",
            "rule 3 is never reached: rule 2 matches everybody",
        ]
    );
}

#[test]
fn the_explanation_names_every_rule_on_the_way() {
    let assignment = assignment(json!([
        { "registry": "blue", "users": ["mira", "zoe", "kim", "lea"] },
        { "registry": "blue", "claim": "org", "values": ["acme"] },
        { "registry": "green", "scope": "beta", "percent": 50 },
        { "requested": true },
        { "registry": "green", "percent": 0.5 },
        { "registry": "blue" },
        { "registry": "green" },
    ]));
    let id = ConversationId::new("conversation-1").unwrap();
    let person = of_org(json!("other"));
    let new = NewConversation { person: &person, id: &id, wanted: None };
    let Explanation { checks, result } = assignment.explain(new);
    let told: Vec<_> = checks
        .iter()
        .map(|check| format!("{} {}: {}: {}", check.number, check.matches, check.rule, check.why))
        .collect();
    assert_eq!(
        told,
        [
            "1 false: `blue` if the person is \"mira\", \"zoe\", \"kim\" or one of 1 more: the person is not one of them",
            "2 false: `blue` if the claim `org` is \"acme\": the person's claim `org` has another value",
            "3 false: `green` for 50 % of people, if the person has the scope `beta`: the person does not have the scope `beta`",
            "4 false: any registry if the request names it: the request names no registry",
            "5 false: `green` for 0.5 % of everybody: the hash of the person is outside of the first 0.5 %",
            "6 true: `blue` for everybody: all of its conditions hold",
        ]
    );
    let reason = "rule 6: for everybody".to_owned();
    assert_eq!(result, Ok(AssignedRegistry { name: "blue".to_owned(), reason }));
    let none = Assignment::default().explain(new);
    assert_eq!((none.checks.len(), none.result.unwrap().reason.as_str()), (0, NO_RULE));
}

/// The share of `of` people, or of anonymous conversations, who get a registry.
fn share(percent: f64, salt: &str, of: usize, who: fn(usize) -> (Person, ConversationId)) -> f64 {
    let rule = json!([{ "registry": "blue", "percent": percent, "salt": salt }]);
    let assignment = assignment(rule);
    let gets = |at: &usize| {
        let (person, id) = who(*at);
        let new = NewConversation { person: &person, id: &id, wanted: None };
        assignment.assign(new).unwrap().name == "blue"
    };
    (0..of).filter(gets).count() as f64 / of as f64
}

fn person(at: usize) -> (Person, ConversationId) {
    let person = Person::known(UserId::new(format!("person-{at}")).unwrap());
    (person, ConversationId::new(format!("any-{}", at % 7)).unwrap())
}

fn stranger(at: usize) -> (Person, ConversationId) {
    (Person::local(), ConversationId::new(format!("c-{at}")).unwrap())
}

/// Ten thousand assignments: within four standard deviations of the percentage.
#[test]
fn a_percentage_is_that_part_of_the_people() {
    for who in [person, stranger] {
        for percent in [0.0, 0.5, 10.0, 33.33, 50.0, 90.0, 100.0] {
            let expected = percent / 100.0;
            let allowed = 4.0 * (expected * (1.0 - expected) / 10_000.0_f64).sqrt();
            let found = share(percent, "", 10_000, who);
            assert!((found - expected).abs() <= allowed, "{percent} %: {found}");
        }
    }
}

#[test]
fn a_growing_percentage_only_adds_people_and_a_salt_shuffles_them() {
    let at = |percent: f64, salt: &str| {
        assignment(json!([{ "registry": "blue", "percent": percent, "salt": salt }]))
    };
    let steps: Vec<_> = [1.0, 5.0, 20.0, 50.0, 99.0].map(|percent| at(percent, "x")).into();
    let other = at(50.0, "y");
    let mut same = 0;
    for number in 0..2_000 {
        let (person, _) = person(number);
        let gets = |assignment: &Assignment| given(assignment, &person, None) == "blue";
        let got: Vec<_> = steps.iter().map(gets).collect();
        assert!(got.is_sorted(), "{number} was added and left again: {got:?}");
        same += usize::from(gets(&other) == got[3]);
    }
    assert!((900..1_100).contains(&same), "two salts agree by chance only: {same}");
}

/// A process of another version, or on another machine, gives the same places.
#[test]
fn places_never_change() {
    let half = assignment(json!([{ "registry": "blue", "percent": 50 }]));
    let got: String = (0..24)
        .map(|at| if given(&half, &person(at).0, None) == "blue" { 'b' } else { '-' })
        .collect();
    assert_eq!(got, "----b--b------bbbbbb--b-");
}
