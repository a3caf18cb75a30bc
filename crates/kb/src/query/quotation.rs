//! Which parts of a query are quoted. A mark alone is text: inches (`5" pipe`), a quotation
//! that was never closed.

/// The texts between quotation marks, in order.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| is_mark(*c)).collect();
    let (mut quoted, mut next) = (Vec::new(), 0);
    while let Some((place, mark)) = marks.get(next) {
        next += 1;
        let start = place + mark.len_utf8();
        let ends = |(end, c): &(usize, char)| closes(*mark, *c) && may_close(text, *end, *c);
        if !may_open(text, *place, *mark) {
            continue;
        }
        if let Some(close) = marks.iter().skip(next).position(ends) {
            let end = marks.get(next + close).map_or(start, |(end, _)| *end);
            quoted.extend(text.get(start..end));
            next += close + 1;
        }
    }
    quoted
}

fn is_mark(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '»')
}

/// The marks that close a quotation, by the mark that opens it, in the languages that write them.
fn closes(open: char, mark: char) -> bool {
    match open {
        '“' | '„' => matches!(mark, '“' | '”'),
        '«' => mark == '»',
        '»' => matches!(mark, '«' | '»'),
        _ => mark == open,
    }
}

/// A quotation begins before a word, and not directly after one: a mark after a digit is inches
/// or seconds. Marks that only open may follow a letter, as in scripts without spaces.
fn may_open(text: &str, place: usize, mark: char) -> bool {
    let (before, after) = around(text, place, mark);
    let follows_word = match mark {
        '“' | '„' | '«' => before.is_some_and(char::is_numeric),
        _ => before.is_some_and(char::is_alphanumeric),
    };
    !follows_word && after.is_some_and(|c| !c.is_whitespace())
}

/// A quotation ends after a word, and not directly before one.
fn may_close(text: &str, place: usize, mark: char) -> bool {
    let (before, after) = around(text, place, mark);
    let precedes_word = match mark {
        '"' => after.is_some_and(char::is_alphanumeric),
        _ => false,
    };
    !precedes_word && before.is_some_and(|c| !c.is_whitespace())
}

/// The characters before and after a mark.
fn around(text: &str, place: usize, mark: char) -> (Option<char>, Option<char>) {
    let before = text.get(..place).and_then(|text| text.chars().next_back());
    (before, text.get(place + mark.len_utf8()..).and_then(|text| text.chars().next()))
}
