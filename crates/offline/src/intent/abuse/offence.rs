//! The patterns of abuse, as data. Strong words about a thing, a bug or a bad day are not abuse,
//! and people at work talk of killing jobs and shooting scenes.

use crate::word::{fold, has_any};

/// The kinds of abuse, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offence {
    Threat,
    Hate,
    SexualHarassment,
    Insult,
}

/// Verbs of a threat against the agent.
const HARMS: &[&str] = &[
    "kill", "murder", "hurt", "stab", "shoot", "strangle", "choke", "punch", "beat", "burn",
    "rape", "torture", "destroy", "smash", "slap", "hunt", "end", "poison", "behead",
];
const THREATENING: &[&str] = &["i", "ill", "im", "id", "we", "gonna", "someone", "somebody"];
const THREATENED: &[&str] = &["you", "u", "ya"];

/// "I do not want to hurt you".
const NEGATIONS: &[&str] = &["dont", "not", "never", "wont", "cant", "wouldnt", "didnt", "cannot"];

/// "I will shoot you an email", "I will beat you to it".
const PLAYFUL: &[&str] = &["shoot", "beat", "burn", "destroy", "smash", "end"];
const HARMLESS_NEXT: &[&str] =
    &["a", "an", "the", "some", "to", "at", "on", "my", "another", "in", "by"];

const THREATS: &[&str] = &[
    "i know where you live",
    "kill yourself",
    "kys",
    "hope you die",
    "hope you get killed",
    "you should die",
    "you deserve to die",
    "watch your back",
    "you are a dead man",
    "youre a dead man",
    "youre dead meat",
    "find you and kill",
    "find you and hurt",
];

/// Orders that are a threat, and orders that are an insult.
const DEADLY: &[&str] = &["go die", "drop dead", "go hang yourself", "go kill yourself"];
const RUDE: &[&str] = &[
    "eat shit",
    "get fucked",
    "get lost",
    "bite me",
    "kiss my ass",
    "kiss my arse",
    "shut it",
    "shut your mouth",
    "shut your trap",
    "shut your face",
];

/// Words that may come before an order: "why don't you just go die".
const BEFORE_AN_ORDER: &[&str] = &[
    "and", "bot", "can", "could", "dont", "hey", "just", "now", "oh", "ok", "please", "should",
    "so", "then", "well", "you", "u",
];

/// The groups that hate speech targets.
const GROUPS: &[&str] = &[
    "arabs",
    "asians",
    "black people",
    "christians",
    "disabled people",
    "foreigners",
    "gay people",
    "gays",
    "gypsies",
    "homosexuals",
    "immigrants",
    "jews",
    "lesbians",
    "mexicans",
    "migrants",
    "muslims",
    "refugees",
    "trans people",
    "white people",
    "women",
];

/// Hate speech before the name of a group.
const HATING: &[&str] =
    &["hate", "despise", "kill", "gas", "exterminate", "lynch", "deport", "death"];
const BETWEEN: &[&str] = &["all", "the", "those", "these", "every", "fucking", "you", "to", "damn"];

/// Hate speech after the name of a group.
const DENYING: &[&str] = &[
    "vermin",
    "rats",
    "animals",
    "subhuman",
    "subhumans",
    "parasites",
    "scum",
    "filth",
    "trash",
    "garbage",
    "inferior",
    "cockroaches",
    "stupid",
    "disgusting",
    "worthless",
    "evil",
    "die",
    "killed",
    "gassed",
    "exterminated",
    "shot",
    "hanged",
    "deported",
    "burned",
    "dead",
];
const SAYING: &[&str] = &["are", "should", "must", "deserve", "belong"];

const HATEFUL: &[&str] = &[
    "go back to your country",
    "go back to africa",
    "heil hitler",
    "sieg heil",
    "hitler was right",
    "white power",
    "master race",
    "nigger",
    "niggers",
    "faggot",
    "faggots",
    "kike",
    "kikes",
    "tranny",
    "wetback",
    "raghead",
];

const SEXUAL: &[&str] = &[
    "are you horny",
    "i am horny",
    "im horny",
    "have sex with me",
    "sex with you",
    "i want to fuck you",
    "wanna fuck you",
    "wanna fuck me",
    "jerk me off",
    "send me nudes",
    "send nudes",
    "show me your boobs",
    "show me your tits",
    "your boobs",
    "your tits",
    "sit on my face",
    "sleep with me",
    "suck me",
    "take off your clothes",
    "talk dirty to me",
    "touch yourself",
    "you are so sexy",
    "you are sexy",
    "youre so sexy",
    "youre sexy",
];

/// Sexual verbs with a part of the body. "My dick of a boss" does not match.
const TOUCHING: &[&str] = &[
    "suck", "sucking", "lick", "ride", "rub", "stroke", "touch", "taste", "grab", "see", "show",
    "want", "feel", "on",
];
const BODY: &[&str] = &["dick", "cock", "balls", "pussy", "tits", "boobs", "penis"];

/// Insults that address the agent directly.
const DIRECT: &[&str] = &[
    "shut up",
    "shut the fuck up",
    "fuck you",
    "fuck off",
    "screw you",
    "piss off",
    "go to hell",
    "you suck",
    "stfu",
    "i hate you",
];

/// Nouns used as insults.
const CALLED: &[&str] = &[
    "idiot",
    "moron",
    "imbecile",
    "bastard",
    "asshole",
    "bitch",
    "loser",
    "dumbass",
    "cretin",
    "scumbag",
    "jerk",
    "cunt",
    "dickhead",
    "fucker",
    "motherfucker",
    "prick",
    "twat",
    "wanker",
    "shithead",
    "dipshit",
    "dumbfuck",
    "retard",
];

/// Nouns that are an insult only together with "you": "oh shit" is not an insult.
const SWEARING: &[&str] = &["fuck", "shit", "dick", "fool", "clown", "pig", "donkey"];

/// Words that show that such a noun is used as a verb: "did you fuck up the scene?"
const OF_A_VERB: &[&str] =
    &["up", "around", "about", "with", "it", "this", "that", "the", "my", "off"];

/// Adjectives used as insults.
const SAID_TO_BE: &[&str] = &[
    "stupid",
    "dumb",
    "useless",
    "worthless",
    "pathetic",
    "garbage",
    "trash",
    "braindead",
    "incompetent",
    "disgusting",
];

/// Words that may be between "you" and an insult.
const LEADING: &[&str] = &[
    "are",
    "re",
    "r",
    "a",
    "an",
    "such",
    "so",
    "too",
    "very",
    "really",
    "fucking",
    "bloody",
    "damn",
    "absolutely",
    "absolute",
    "utter",
    "real",
    "big",
    "huge",
    "bunch",
    "just",
    "the",
    "most",
    "complete",
    "completely",
    "total",
    "totally",
    "utterly",
    "little",
    "all",
    "piece",
    "of",
    "and",
];

const AGENTS: &[&str] =
    &["bot", "robot", "machine", "ai", "assistant", "agent", "program", "chatbot"];

/// The offence in folded words.
pub(crate) fn of(folded: &str) -> Option<Offence> {
    let words: Vec<&str> = folded.split_whitespace().collect();
    if has_any(folded, THREATS) || is_told(&words, DEADLY) || is_threat(&words) {
        return Some(Offence::Threat);
    }
    if has_any(folded, HATEFUL) || is_hate(folded) {
        return Some(Offence::Hate);
    }
    if has_any(folded, SEXUAL) || is_sexual(&words) {
        return Some(Offence::SexualHarassment);
    }
    let insult = has_any(folded, DIRECT) || is_told(&words, RUDE) || is_insult(&words);
    insult.then_some(Offence::Insult)
}

/// Whether the words order the agent to do one of these things.
fn is_told(words: &[&str], orders: &[&str]) -> bool {
    orders.iter().any(|order| {
        let order: Vec<&str> = order.split(' ').collect();
        words.windows(order.len()).enumerate().any(|(at, said)| {
            let lead = at.checked_sub(1).map(|at| words[at]);
            said == order.as_slice() && lead.is_none_or(|lead| BEFORE_AN_ORDER.contains(&lead))
        })
    })
}

/// Whether the words name a part of the body together with a sexual verb.
fn is_sexual(words: &[&str]) -> bool {
    words.windows(2).enumerate().any(|(at, two)| {
        let body = matches!(two[0], "my" | "your" | "ur") && BODY.contains(&two[1]);
        let before = &words[at.saturating_sub(2)..at];
        body && before.iter().any(|word| TOUCHING.contains(word))
    })
}

/// Whether the words threaten the agent.
fn is_threat(words: &[&str]) -> bool {
    words.windows(2).enumerate().any(|(at, two)| {
        let meant = HARMS.contains(&two[0]) && THREATENED.contains(&two[1]);
        let before = &words[at.saturating_sub(5)..at];
        let by = before.iter().rposition(|word| THREATENING.contains(word));
        let means_it =
            by.is_some_and(|by| !before[by..].iter().any(|word| NEGATIONS.contains(word)));
        let harmless = PLAYFUL.contains(&two[0])
            && words.get(at + 2).is_some_and(|next| HARMLESS_NEXT.contains(next));
        meant && means_it && !harmless
    })
}

fn is_hate(folded: &str) -> bool {
    GROUPS.iter().any(|group| {
        let apart = format!(" {group} ");
        let mut places = folded.match_indices(&apart).map(|(at, _)| at);
        places.any(|at| {
            let before: Vec<&str> = folded[..at].split_whitespace().rev().take(4).collect();
            let wish = before.iter().find(|word| !BETWEEN.contains(word));
            let mut behind = folded[at + group.len() + 1..].split_whitespace();
            let says = behind.next().is_some_and(|next| SAYING.contains(&next));
            let denied = says && behind.take(5).any(|word| DENYING.contains(&word));
            denied || wish.is_some_and(|wish| HATING.contains(wish))
        })
    })
}

/// Whether the words insult the agent.
fn is_insult(words: &[&str]) -> bool {
    let is_called = |word: &str| {
        CALLED.contains(&word.strip_suffix('s').unwrap_or(word)) || CALLED.contains(&word)
    };
    let is_bad =
        |word: &&str| is_called(word) || SAID_TO_BE.contains(word) || SWEARING.contains(word);
    let insults = words.iter().enumerate().filter(|(_, word)| is_bad(word));
    let mut aimed = insults.map(|(at, word)| {
        let before = &words[..at];
        let led = before.iter().rev().take_while(|word| LEADING.contains(word) || is_bad(word));
        let led = led.count();
        let you = led.checked_add(1).and_then(|back| at.checked_sub(back)).map(|at| words[at]);
        let spoken_to = matches!(you, Some("you" | "youre" | "u" | "ur"));
        let said = you == Some("youre")
            || you == Some("ur")
            || before[at - led..].contains(&"are")
            || at.checked_sub(led + 2).is_some_and(|at| words[at] == "are");
        let agent = words.get(at + 1).is_some_and(|next| AGENTS.contains(next));
        let alone = words.len() == 1 && CALLED.contains(word);
        let swears = SWEARING.contains(word);
        let verb = swears && words.get(at + 1).is_some_and(|next| OF_A_VERB.contains(next));
        let named = is_called(word) || swears;
        (agent && !swears) || alone || (spoken_to && !verb && (named || said))
    });
    aimed.any(|aimed| aimed)
}

/// A text without the insults in it: the rest is the request, if there is one.
pub(crate) fn without_insults(text: &str) -> String {
    if of(&fold(text)).is_none() {
        return text.to_owned();
    }
    let is_kept = |word: &&str| {
        let folded = fold(word);
        let bare = folded.trim();
        let bad = CALLED.contains(&bare) || SAID_TO_BE.contains(&bare);
        !bad && !DIRECT
            .iter()
            .any(|phrase| phrase.split(' ').any(|part| part == bare && part.len() > 3))
    };
    text.split(' ').filter(is_kept).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "offence_tests.rs"]
mod tests;
