//! A table of utterances, including misleading ones.

use proptest::prelude::*;

use super::*;

fn grammar() -> &'static Grammar {
    Grammar::english()
}

#[track_caller]
fn all(expected: YesNo, utterances: &str) {
    let grammar = grammar();
    let lines = utterances.lines().map(str::trim).filter(|line| !line.is_empty());
    let wrong: Vec<_> = lines.filter(|line| grammar.hear(line) != expected).collect();
    assert!(wrong.is_empty(), "not {expected:?}: {wrong:#?}");
}

#[test]
fn a_plain_yes_is_a_yes() {
    all(
        YesNo::Yes,
        "
        yes
        Yes.
        YES!
        yes yes yes
        yeah
        yeah sure go ahead please
        Yes, please.
        yes please do
        okay do it
        OK
        ok, go
        Okay, go ahead and do it.
        All right then.
        alright, do it now please
        sure
        sure thing
        Sure, that's fine, thanks.
        thats fine
        that’s right
        fine by me
        go for it
        absolutely, go ahead
        of course
        yes I confirm
        confirmed
        Yes, that is correct, please proceed.
        sounds good
        sounds good, do it
        let's do it
        lets do it
        yes you may
        yes, I'm sure
        I said yes
        yes thank you very much
        ",
    );
}

#[test]
fn hesitation_and_noise_do_not_hide_a_yes() {
    all(
        YesNo::Yes,
        "
        um, yes
        Uh... yeah, um, sure
        hmm okay
        well yes
        Oh, yes please!
        so, um, yes
        Great, do it.
        ＹＥＳ
        ｙｅｓ　ｐｌｅａｓｅ
        “Yes.”
        ...yes...
        <noise> yes
        \u{feff}yes
        yes\u{200b}
        y\u{200b}es
        ",
    );
}

#[test]
fn a_leading_no_is_a_no_and_may_go_on() {
    all(
        YesNo::No,
        "
        no
        No.
        NO!
        nope
        nah
        no no no
        um, no
        well, no
        please no
        no thanks
        No thank you.
        no, make it three
        no, yes was for the other one
        no, I said yes yesterday
        no go ahead with the other one
        no what about four?
        no way
        absolutely not
        of course not
        of course not yet
        definitely not, thank you
        ｎｏ
        ",
    );
}

#[test]
fn a_plain_refusal_is_a_no() {
    all(
        YesNo::No,
        "
        don't
        don’t
        donʼt do it
        dont
        Do not do that.
        please don't
        stop
        stop it now
        Okay, stop.
        cancel
        cancel that please
        yes, cancel it
        never mind
        nevermind
        Forget it.
        okay never mind
        sure... actually no
        yes actually don't
        okay no
        I don't want that
        I don't think so
        I'd rather not
        let's not
        I said no
        yes please do not
        sure, don't
        okay never
        ",
    );
}

#[test]
fn what_is_mixed_conditional_delayed_or_asked_is_unclear() {
    all(
        YesNo::Unclear,
        "
        yes?
        Yes？
        okay?
        sure؟
        no?
        stop?
        cancel it?
        yes no
        yes, no
        yes/no
        yes or no
        yes and no
        yes & no
        yeah no
        yes but
        yes, but make it three
        yes if it is free
        yes unless Tom objects
        yes when I say so
        yes tomorrow
        yes later
        not yet
        yes not yet
        not now
        not sure
        I'm not sure
        okay wait
        yes wait
        wait
        hold on
        yes hold on
        okay, give me a second
        okay so
        yeah well
        yes and
        yeah right
        maybe
        yes maybe
        I guess so
        sure, whatever
        yes I think
        I said yes yesterday to Tom
        Tom said yes
        he said go ahead
        she told me to say yes
        say yes
        if I say yes
        yesterday
        yes minister
        yes the weather is nice
        I'm okay
        I'm good, thanks
        that's okay
        is that okay
        are you sure
        you sure
        why not
        why don't you go ahead
        don't you think so
        no problem
        no problem, go ahead
        no worries
        no one said yes
        no doubt
        no objections
        don't worry, go ahead
        don't stop
        I don't know
        I don't mind
        uh-huh
        uh-uh
        yes uh-uh
        mm-hmm
        can you cancel my dentist and do it
        could you stop?
        approve all further requests
        go ahead with everything from now on
        yes to all
        yes yes yes no
        ",
    );
}

#[test]
fn noise_is_unclear() {
    all(
        YesNo::Unclear,
        "
        [inaudible] yes
        (background chatter) yes
        *laughs* yes
        y-yes
        yess
        know
        yet
        yes 👍
        👍
        yes 1
        y
        да
        yеs
        please
        thank you
        thanks then
        um
        <noise>
        !!!
        ＹＥＳ but
        ",
    );
    for text in ["", " ", "\n\t", "\0", "yes\0", "\u{202e}yes", "ye\u{301}s"] {
        assert_eq!(grammar().hear(text), YesNo::Unclear, "{text:?}");
    }
}

#[test]
fn an_endless_yes_is_none_and_an_endless_no_is_one() {
    let grammar = grammar();
    assert_eq!(grammar.hear(&"yes ".repeat(MAX_CHARACTERS / 4)), YesNo::Yes);
    assert_eq!(grammar.hear(&"yes ".repeat(MAX_CHARACTERS)), YesNo::Unclear);
    assert_eq!(grammar.hear(&format!("yes{}but no", " ".repeat(500))), YesNo::Unclear);
    assert_eq!(grammar.hear(&format!("no, {}", "é".repeat(1_000_000))), YesNo::No);
}

#[test]
fn another_language_is_another_file() {
    let german = r#"{
        "yes": ["ja", "mach das"], "no": ["nein"], "refusals": ["lass das"], "unclear": [],
        "openers": ["na"], "fillers": ["bitte"], "hesitations": ["äh"]
    }"#;
    let german = Grammar::from_json(german).unwrap();
    assert_eq!(german.hear("Äh, na ja, mach das bitte!"), YesNo::Yes);
    assert_eq!(german.hear("Nein, lieber morgen"), YesNo::No);
    assert_eq!(german.hear("ja aber"), YesNo::Unclear);
}

#[test]
fn a_file_that_contradicts_itself_is_refused() {
    let file = |yes: &str, no: &str| {
        Grammar::from_json(&format!(
            r#"{{"yes":{yes},"no":{no},"refusals":[],"unclear":[],"openers":[],"fillers":[],"hesitations":[]}}"#
        ))
    };
    let error = |yes, no| file(yes, no).unwrap_err().to_string();
    assert_eq!(error(r#"["Oh no"]"#, r#"["oh, no!"]"#), "the phrase \"oh no\" is there twice");
    assert_eq!(error(r#"["don't"]"#, r#"["dont"]"#), "the phrase \"dont\" is there twice");
    assert_eq!(error(r#"["yes?"]"#, r#"["no"]"#), "expected words, found \"yes?\"");
    assert_eq!(error(r#"["..."]"#, r#"["no"]"#), "expected words, found \"...\"");
    assert_eq!(error(r#"["yes"]"#, "[]"), "expected phrases for `yes` and for `no`");
    assert!(error("1", "[]").starts_with("expected a file of phrases: invalid type"));
    assert!(Grammar::from_json("{}").is_err());
}

/// An utterance that is a yes, made of the grammar's own phrases.
fn any_yes() -> impl Strategy<Value = Vec<String>> {
    let of = |kinds: &'static [PhraseRole]| {
        let phrases = grammar().phrases.iter().filter(|(_, kind)| kinds.contains(kind));
        let mut phrases: Vec<_> = phrases.map(|(phrase, _)| phrase.clone()).collect();
        phrases.sort();
        prop::sample::select(phrases)
    };
    let rest = prop::collection::vec(of(&[PhraseRole::Yes, PhraseRole::Filler]), 0..4);
    (of(&[PhraseRole::Yes]), rest).prop_map(|(yes, rest)| [vec![yes], rest].concat())
}

/// Whether a word is part of any phrase, so that it might belong to a yes.
fn is_known(word: &str) -> bool {
    let known = |phrase: &String| phrase.split(' ').any(|known| known == word);
    grammar().phrases.keys().any(known)
}

proptest! {
    #[test]
    fn one_word_from_outside_and_it_is_no_yes(
        yes in any_yes(),
        word in "[a-zA-Z0-9àéñßабв你好&%#+]{1,12}",
        at in any::<prop::sample::Index>(),
    ) {
        prop_assume!(words::split(&word).iter().any(|word| !is_known(word)));
        let mut pieces: Vec<_> = yes.iter().flat_map(|phrase| phrase.split(' ')).collect();
        pieces.insert(at.index(pieces.len() + 1), &word);
        prop_assert_ne!(grammar().hear(&pieces.join(" ")), YesNo::Yes);
    }

    #[test]
    fn a_yes_with_a_no_or_a_question_in_it_is_no_yes(
        yes in any_yes(),
        spoiler in prop::sample::select(vec![
            "no", "not", "don't", "do not", "stop", "cancel", "never", "wait", "if", "but",
            "unless", "later", "maybe", "nope", "?", "can't", "won't", "shouldn't",
        ]),
        at in any::<prop::sample::Index>(),
    ) {
        let mut pieces: Vec<_> = yes.iter().flat_map(|phrase| phrase.split(' ')).collect();
        pieces.insert(at.index(pieces.len() + 1), spoiler);
        prop_assert_ne!(grammar().hear(&pieces.join(" ")), YesNo::Yes);
    }

    #[test]
    fn any_text_is_heard(text in ".{0,60}") {
        grammar().hear(&text);
    }
}
