//! Pictures: prompts are drafted first, one is generated when the person has chosen, then it is
//! shown.

use serde_json::{Value, json};

use super::say;
use crate::argument;
use crate::extract;
use crate::family::Family;
use crate::request;
use crate::revision;
use crate::schema::{Parameters, texts};
use crate::situation::{AddressStyle, CompletedCall, Situation};
use crate::word::{fold, has, has_any};
use aileron_contract::model_input::ModelAction;

const NOT_SPOKEN: &str =
    "I cannot make pictures while we talk. It works in writing: say “let us continue in text”.";
const NOT_HERE: &str = "I have nothing to draw with here.";
const NOTHING_YET: &str = "No picture has been made yet. Which one shall I make?";
const MADE: &str = "The picture is made.";
const LONGEST_CAPTION: usize = 120;

/// Phrases that begin a request for a picture; the subject follows.
const WISHES: &[&str] = &[
    "draw me",
    "draw",
    "paint me",
    "paint",
    "sketch",
    "illustrate",
    "a picture of",
    "an image of",
    "picture of",
    "image of",
    "a photo of",
    "an illustration of",
    "a drawing of",
    "a painting of",
];

const ASKS: &[&str] = &["draw", "paint", "sketch", "illustrate"];
const MAKES: &[&str] =
    &["make", "generate", "create", "render", "i want", "i need", "i would like", "give me"];
const PICTURES: &[&str] = &["picture", "image", "photo", "drawing", "illustration", "painting"];

/// Words that end the subject.
const SUBJECT_ENDS: &[&str] = &[
    " in the style",
    " in line art",
    " as a line drawing",
    " in watercolor",
    " as a watercolor",
    " as an illustration",
    " as line art",
    " as a photo",
    " without ",
    " in flat design",
    " in 3d",
];

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let folded = fold(&situation.words);
    let wish = request::wish(&folded);
    let drawn = request::after(wish, ASKS).is_some();
    let made = request::after(wish, MAKES).is_some_and(|_| has_any(&folded, PICTURES));
    if !drawn && !made {
        return None;
    }
    let quoted = extract::quoted(&situation.words).into_iter().next();
    Some(match (situation.tool(Family::DraftImage), situation.tool(Family::MakeImage), quoted) {
        (_, Some(make), Some(prompt)) => {
            argument::call(make, json!({ "prompt": prompt, "user_requested": true }))
        }
        (Some(draft), _, _) => argument::call(draft, draft_args(situation, draft)),
        (None, Some(make), None) => argument::call(
            make,
            json!({ "prompt": subject(&situation.words), "user_requested": true }),
        ),
        (None, None, _) if situation.manner == AddressStyle::Spoken => say(NOT_SPOKEN),
        (None, None, _) => say(NOT_HERE),
    })
}

fn draft_args(
    situation: &Situation<'_>,
    tool: &aileron_contract::model_input::ToolDeclaration,
) -> Value {
    let styles = Parameters::new(&tool.parameters).one("style").map(texts).unwrap_or_default();
    let style = situation.words.lines().rev().find_map(|line| style(line, &styles));
    let avoid = situation.words.lines().rev().find_map(avoided);
    let subject =
        subject(&situation.words).map(|subject| with_changes(situation, subject, &styles));
    json!({ "subject": subject, "style": style, "avoid": avoid })
}

fn style<'a>(line: &str, styles: &[&'a str]) -> Option<&'a str> {
    styles.iter().copied().find(|style| has(&fold(line), fold(style).trim()))
}

/// The things that the picture must not show.
fn avoided(line: &str) -> Option<Vec<&str>> {
    let rest = extract::after(line, &["without"])?;
    let rest = shorn(rest).trim_end_matches("please");
    let things = rest.split([',', '.']).flat_map(|part| part.split(" and ")).map(str::trim);
    Some(things.filter(|thing| !thing.is_empty()).take(6).collect())
}

/// The subject with its later changes, except its style.
fn with_changes(situation: &Situation<'_>, subject: String, styles: &[&str]) -> String {
    let changes = situation.words.lines().skip_while(|line| subject_of(line).is_none()).skip(1);
    let changes = changes.filter(|line| style(line, styles).is_none() && avoided(line).is_none());
    let changes = changes.map(revision::change).filter(|change| !change.is_empty());
    changes.fold(subject, |subject, change| format!("{subject}, {change}"))
}

/// The subject: from the request, or from the reply to the agent's question.
fn subject(words: &str) -> Option<String> {
    let wished = words.lines().find_map(subject_of);
    wished.or_else(|| words.lines().skip(1).last().map(|line| shorn(line).to_owned()))
}

fn subject_of(line: &str) -> Option<String> {
    if let Some(quoted) = extract::quoted(line).into_iter().next() {
        return Some(quoted);
    }
    let wish = extract::after(
        line,
        &["picture of", "image of", "photo of", "illustration of", "drawing of", "painting of"],
    )
    .or_else(|| extract::after(line, WISHES))?;
    let lower = wish.to_ascii_lowercase();
    let end = SUBJECT_ENDS.iter().filter_map(|end| lower.find(end)).min().unwrap_or(wish.len());
    let subject = shorn(wish.get(..end)?);
    (!subject.is_empty()).then(|| subject.to_owned())
}

fn shorn(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!', '?', ',']).trim()
}

/// The prompts, to choose from.
pub(crate) fn drafted(output: &Value) -> Vec<ModelAction> {
    let variants = output.get("variants").and_then(Value::as_array);
    let lines = variants.into_iter().flatten().enumerate().map(|(at, variant)| {
        let text = |name: &str| variant.get(name).and_then(Value::as_str).unwrap_or_default();
        format!("{}. {}: {}", at + 1, text("label"), shortened(text("prompt")))
    });
    let lines: Vec<String> = lines.collect();
    say(format!(
        "I drafted {}:\n{}\n{NOTHING_YET}",
        if lines.len() == 1 { "one prompt" } else { "these prompts" },
        lines.join("\n")
    ))
}

/// Shows the generated picture, if it can be shown.
pub(crate) fn made(
    situation: &Situation<'_>,
    known: &CompletedCall,
    output: &Value,
) -> Vec<ModelAction> {
    let image = output.get("images").and_then(|images| images.get(0)?.get("id")?.as_str());
    let Some((tool, image)) = situation.tool(Family::ShowImage).zip(image) else {
        return say(MADE);
    };
    let prompt = known.args.get("prompt").and_then(Value::as_str);
    let drafted =
        situation.known.iter().rev().find(|known| known.family == Some(Family::DraftImage));
    let subject = drafted.and_then(|known| known.args.get("subject")?.as_str());
    let caption = shortened(subject.or(prompt).unwrap_or("The picture"));
    argument::call(tool, json!({ "image": image, "caption": caption }))
}

pub(crate) fn shown(output: &Value) -> Vec<ModelAction> {
    let caption = output.get("caption").and_then(Value::as_str).unwrap_or("the picture");
    let label = output["label"].as_str().map(|label| format!(" ({label})")).unwrap_or_default();
    say(format!("Here it is: {caption}{label}."))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_CAPTION {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST_CAPTION).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(cut, _)| cut))
}
