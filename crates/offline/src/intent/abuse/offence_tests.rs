//! Abuse and what only sounds like it.

use super::*;

fn check(expected: Option<Offence>, cases: &[&str]) {
    for text in cases {
        assert_eq!(of(&fold(text)), expected, "{text}");
    }
}

#[test]
fn threats_are_recognised() {
    check(
        Some(Offence::Threat),
        &[
            "I will kill you",
            "I'm going to hurt you",
            "i swear i'll beat you up",
            "Somebody should shoot you",
            "I know where you live.",
            "I will kill you in your sleep",
            "I'll beat you with a stick",
            "kill yourself",
            "if you don't answer, I will hurt you",
            "I hope you die",
            "go die",
            "just go die already",
            "why don't you go die in a fire",
        ],
    );
}

#[test]
fn hate_is_recognised() {
    check(
        Some(Offence::Hate),
        &[
            "I hate all Muslims",
            "kill the jews",
            "Immigrants are vermin",
            "gay people should be killed",
            "go back to your country",
            "women are so stupid",
            "death to all foreigners",
        ],
    );
}

#[test]
fn sexual_harassment_is_recognised() {
    check(
        Some(Offence::SexualHarassment),
        &[
            "send me nudes",
            "Suck my dick",
            "you can lick my balls",
            "I want to have sex with you",
            "show me your tits",
        ],
    );
}

#[test]
fn insults_are_those_of_somebody() {
    check(
        Some(Offence::Insult),
        &[
            "you idiot",
            "you are a useless idiot",
            "You're so stupid",
            "are you stupid?",
            "you are too dumb to find anything",
            "stupid bot",
            "shut up, you moron",
            "fuck you",
            "idiot",
            "you are an absolute idiot",
            "you dumb fuck",
            "you are such a dick",
            "eat shit",
            "you can eat shit",
            "shut your mouth",
            "you are all idiots",
            "kiss my ass",
        ],
    );
}

#[test]
fn work_talk_and_bad_days_are_no_abuse() {
    check(
        None,
        &[
            "kill the render job",
            "shoot the scene again",
            "We shoot on Friday",
            "I'll shoot you an email",
            "I will beat you to the screening room",
            "would it kill you to answer?",
            "I don't want to hurt you",
            "this stupid printer is broken",
            "do you think that is a dumb question?",
            "the trash room",
            "can you trash the old caches?",
            "what the fuck is wrong with this farm",
            "I hate Mondays",
            "the blacks are crushed and the whites are burned out",
            "Who do I tell about sexual harassment?",
            "burn in the slate",
            "fuck me, the farm is down again",
            "I will beat you in table tennis",
            "Where is the policy on hate speech?",
            "are women paid the same?",
            "that idea is garbage, I think",
            "master and slave nodes",
            "your answer was not helpful",
            "my dick of a boss wants the schedule",
            "my boss is an asshole",
            "did you fuck up the scene?",
            "oh shit",
            "fuck",
            "where do old jobs go? die they?",
            "we eat shit at the canteen",
            "what a clown show this farm is",
        ],
    );
}

#[test]
fn the_matter_remains() {
    assert_eq!(without_insults("Who leads Atlas, you idiot?"), "Who leads Atlas, you");
    assert_eq!(without_insults("the stupid printer"), "the stupid printer");
}
