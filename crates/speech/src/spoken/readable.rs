//! The readable part of a text: its words. Marks of Markdown, links, citations, code, tables and emoji are left out.

/// Said in place of a block of code.
const CODE: &str = "There is code in the written answer.";

/// The most characters that are spoken of one text; a longer one is announced as cut.
const MOST_CHARS: usize = 6_000;
const CUT: &str = "The rest is in the written answer.";

/// The text without the parts that are not read out.
pub fn readable(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            if in_code {
                out.push_str(&format!("{CODE}\n"));
            }
            continue;
        }
        if in_code {
            continue;
        }
        let line = plain(line);
        if !line.is_empty() {
            out.push_str(&line);
            out.push('\n');
        }
        if out.chars().count() > MOST_CHARS {
            let end = out.char_indices().nth(MOST_CHARS).map_or(out.len(), |(at, _)| at);
            let end = out[..end].rfind([' ', '\n']).unwrap_or(end);
            out.truncate(end);
            out.push_str(&format!(".\n{CUT}"));
            break;
        }
    }
    out.trim().to_owned()
}

/// A line without Markdown.
fn plain(line: &str) -> String {
    let line = line.trim();
    let line = line.trim_start_matches(['#', '>', ' ']);
    let is_rule = !line.is_empty() && line.chars().all(|c| "-=*_|: ".contains(c));
    if is_rule {
        return String::new();
    }
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    let unlinked = without_brackets(line);
    let words = unlinked.split_whitespace().filter(|word| !is_link(word));
    let words: Vec<String> = words.map(without_marks).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ").replace(" .", ".").replace(" ,", ",").replace(" ?", "?");
    if line.chars().any(char::is_alphanumeric) { line } else { String::new() }
}

/// `[text](link)` becomes its text; `[1]` and `[kb:record]`, which are citations, become nothing.
fn without_brackets(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        let Some(close) = from.find(']') else { break };
        let (inner, after) = (&from[1..close], &from[close + 1..]);
        out.push_str(before);
        match after.strip_prefix('(').and_then(|link| link.split_once(')')) {
            Some((_, after)) => {
                out.push_str(inner);
                rest = after;
            }
            None => {
                let is_citation = !inner.contains(' ') || inner.contains(':');
                if is_citation {
                    out.truncate(out.trim_end().len());
                } else {
                    out.push_str(inner);
                }
                rest = after;
            }
        }
    }
    out + rest
}

fn is_link(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', '<', '>', ',', '.', '"']);
    word.contains("://") || word.starts_with("www.") || word.starts_with("mailto:")
}

/// A word without the marks of emphasis and code, and without emoji.
fn without_marks(word: &str) -> String {
    let word = word.replace(['*', '`', '|', '~', '#'], "").replace("__", "");
    let word = word.trim_matches('_');
    let is_said =
        |c: char| c.is_alphanumeric() || c.is_ascii_punctuation() || "’‘“”–—…°€£¥§½¼¾".contains(c);
    word.chars().filter(|c| is_said(*c)).collect()
}

#[cfg(test)]
#[path = "readable_tests.rs"]
mod tests;
