//! Requests that no rule and no tool here supports: the agent says so instead of searching.

use super::{about, say};
use crate::request;
use crate::situation::Situation;
use crate::word::{has, has_any, number};
use aileron_contract::model_input::ModelAction;

const BEYOND: &str = "That takes a model, and I have none: I follow rules.";

/// Which wishes are requests to the agent, and not searches for instructions: "I want to cancel the
/// meeting", and not "I need to change my password".
#[derive(Debug, Clone, Copy)]
enum WishPattern {
    Any,
    /// Only about things that the agent creates.
    Ours,
    None,
}

/// Things that the agent creates.
const OURS: &[&str] = &[
    "meeting",
    "meetings",
    "appointment",
    "event",
    "call",
    "booking",
    "invitation",
    "picture",
    "it",
    "that",
];

/// Orders that are not supported, by their verb.
const ORDERS: &[(&[&str], WishPattern, &str)] = &[
    (
        &[
            "email", "mail", "send", "message", "text", "notify", "reply", "forward", "post",
            "share",
        ],
        WishPattern::Any,
        "send mail or messages",
    ),
    (&["remind", "wake", "alert"], WishPattern::Any, "set reminders"),
    (
        &[
            "delete",
            "remove",
            "cancel",
            "move",
            "reschedule",
            "postpone",
            "change",
            "update",
            "edit",
            "rename",
            "add",
            "save",
            "remember",
            "note",
        ],
        WishPattern::Ours,
        "change, keep or delete anything",
    ),
    (&["phone", "dial", "ring", "call"], WishPattern::Any, "phone anybody"),
    (&["buy", "order", "pay", "reserve"], WishPattern::None, "buy, pay or reserve anything"),
    (
        &[
            "play", "open", "run", "start", "stop", "kill", "restart", "install", "download",
            "upload", "print", "render", "submit", "turn", "switch",
        ],
        WishPattern::None,
        "run, open or stop anything",
    ),
];

/// Orders for things that are not supported.
const THINGS: &[(&[&str], &[&str], &str)] = &[
    (&["set", "make", "create"], &["reminder", "alarm", "timer"], "set reminders"),
    (&["search", "google", "browse"], &["web", "internet", "online"], "search the web"),
];

/// Questions that only the person's own calendar or account could answer.
const QUESTIONS: &[(&[&str], &str)] = &[
    (
        &[
            "meetings do i have",
            "appointments do i have",
            "do i have a meeting",
            "do i have any meetings",
            "my calendar",
            "my meetings",
            "my appointments",
            "my next meeting",
            "my schedule",
            "am i free",
            "am i busy",
        ],
        "read your calendar; I only look for free times when you plan a meeting",
    ),
    (
        &[
            "what is my name",
            "whats my name",
            "who am i",
            "do you know me",
            "know my name",
            "what is my email",
            "whats my email",
            "where am i",
            "how old am i",
        ],
        "tell who you are: nobody told me",
    ),
    (
        &[
            "did i ask",
            "did i say",
            "did you say",
            "repeat that",
            "say that again",
            "our last conversation",
        ],
        "repeat what was said: please look above",
    ),
    (&["weather", "the news", "stock price", "traffic"], "look outside of the knowledge base"),
];

/// Orders for creative writing.
const CREATIVE: &[&str] = &[
    "write",
    "compose",
    "translate",
    "rewrite",
    "summarise",
    "summarize",
    "debug",
    "paraphrase",
    "brainstorm",
    "imagine",
    "proofread",
];

const WISHES: &[&str] = &[
    "a joke",
    "a poem",
    "a story",
    "an essay",
    "a song",
    "do you think",
    "your opinion",
    "do you feel",
    "do you like",
    "write code",
];

const OPERATORS: &[&str] = &[
    "+",
    "*",
    "×",
    "÷",
    "/",
    "-",
    "^",
    "x",
    "plus",
    "minus",
    "times",
    "over",
    "divided",
    "multiplied",
];

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let creative =
        has_any(&situation.folded, WISHES) || request::is_order(&situation.latest, CREATIVE);
    if creative {
        return Some(say(format!("{BEYOND} {}", about::abilities(situation))));
    }
    let what = what(situation)?;
    Some(say(format!("I cannot {what}. {}", about::abilities(situation))))
}

/// The unsupported request.
fn what(situation: &Situation<'_>) -> Option<&'static str> {
    if is_arithmetic(&situation.latest) {
        return Some("calculate");
    }
    let questions = QUESTIONS.iter().find(|(phrases, _)| has_any(&situation.folded, phrases));
    if let Some((_, what)) = questions {
        return Some(what);
    }
    let order = request::order(&situation.folded);
    let things = THINGS.iter().find(|(verbs, things, _)| {
        request::after(order, verbs).is_some_and(|rest| has_any(&format!(" {rest} "), things))
    });
    if let Some((_, _, what)) = things {
        return Some(what);
    }
    // "Send me the address" asks for an answer.
    let for_me = has(&situation.folded, "send me") || has(&situation.folded, "text me");
    let orders = ORDERS.iter().find(|(verbs, wished, _)| {
        request::is_order(&situation.latest, verbs) || is_wished(situation, verbs, *wished)
    });
    orders.filter(|_| !for_me).map(|(.., what)| *what)
}

fn is_wished(situation: &Situation<'_>, verbs: &[&str], wished: WishPattern) -> bool {
    let for_us = match wished {
        WishPattern::Any => true,
        WishPattern::Ours => has_any(&situation.folded, OURS),
        WishPattern::None => false,
    };
    for_us && request::is_wish(&situation.latest, verbs)
}

/// Whether a text asks for arithmetic: `17 * 23`, `2 plus 2`, `15% of 80`.
fn is_arithmetic(text: &str) -> bool {
    let lower = text.to_lowercase();
    let apart: String = lower
        .chars()
        .flat_map(|letter| match letter {
            '+' | '*' | '×' | '÷' | '^' | '=' => vec![' ', letter, ' '],
            '%' => " percent ".chars().collect(),
            '?' | '!' | ',' => vec![' '],
            letter => vec![letter],
        })
        .collect();
    let words: Vec<&str> = apart.split_whitespace().filter(|word| *word != "by").collect();
    let counts = |word: &str| number(word).is_some() || word.parse::<f64>().is_ok();
    words.windows(3).any(|three| match three {
        [one, operator, other] if OPERATORS.contains(operator) => counts(one) && counts(other),
        [one, "percent", "of"] => counts(one),
        ["root", "of", other] => counts(other),
        _ => false,
    })
}
