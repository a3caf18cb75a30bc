//! The headings of a Markdown text (`#` lines outside of fenced code) and the sections under them.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

/// Separates the headings of a trail.
const JOINT: &str = " > ";

/// How much of a heading a trail repeats: a line of any length may begin with `#`.
const MAX_TRAIL_CHARS: usize = 120;

/// A longer line is used as written, including its markup.
const MAX_PARSED_BYTES: usize = 4096;

/// A heading line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Heading<'a> {
    /// 1 for `#`, up to 6.
    pub(crate) level: usize,
    pub(crate) start: usize,
    /// After the end of the line.
    pub(crate) end: usize,
    words: &'a str,
}

/// The headings of a text, in order.
pub(crate) fn headings(text: &str) -> impl Iterator<Item = Heading<'_>> {
    let mut fence = None;
    let mut end = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = end;
        end += line.len();
        let line = unindented(line)?;
        match (fence, Fence::of(line)) {
            (None, Some(opening)) if opening.may_open(line) => fence = Some(opening),
            (Some(opening), Some(closing)) if closing.closes(opening, line) => fence = None,
            (Some(_), _) => {}
            (None, _) => return heading(line, start..end),
        }
        None
    })
}

/// A line without the indent it may have; none for one that is indented code.
fn unindented(line: &str) -> Option<&str> {
    let unindented = line.trim_start_matches(' ');
    (line.len() - unindented.len() < 4).then_some(unindented.trim_end())
}

fn heading(line: &str, range: Range<usize>) -> Option<Heading<'_>> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    let rest = rest.trim();
    // Closing marks belong to the heading only after a space: `# C#` is about C#.
    let open = rest.trim_end_matches('#');
    let words = if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { rest };
    is_heading.then_some(Heading { level, start: range.start, end: range.end, words })
}

/// The words of a heading without its markup.
pub(crate) fn plain(heading: &Heading<'_>) -> String {
    if heading.words.len() > MAX_PARSED_BYTES {
        return heading.words.to_owned();
    }
    // The words are parsed as those of a heading: by themselves, `1. First` would be a list.
    let line = format!("# {}", heading.words);
    let words = Parser::new(&line).filter_map(|event| match event {
        Event::Text(words) | Event::Code(words) => Some(words.into_string()),
        Event::SoftBreak | Event::HardBreak => Some(" ".to_owned()),
        _ => None,
    });
    words.collect::<String>().trim().to_owned()
}

/// The marks that open or close fenced code.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = line.len() - line.trim_start_matches(mark).len();
        (length >= 3).then_some(Self { mark, length })
    }

    /// Backticks with backticks after them are code within a line.
    fn may_open(self, line: &str) -> bool {
        self.mark == '~' || !line.trim_start_matches('`').contains('`')
    }

    fn closes(self, opening: Self, line: &str) -> bool {
        let is_bare = line.trim_start_matches(self.mark).trim().is_empty();
        self.mark == opening.mark && self.length >= opening.length && is_bare
    }
}

/// A heading with all that follows up to the next one.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) start: usize,
    heading: Heading<'a>,
    /// The section it is a part of, by number.
    parent: Option<usize>,
}

/// The headings of a text and how they contain each other.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    pub(super) sections: Vec<Section<'a>>,
}

impl<'a> Outline<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut sections: Vec<Section<'a>> = Vec::new();
        // Levels rise along it, so it has at most six.
        let mut open: Vec<usize> = Vec::new();
        for heading in headings(text) {
            let level = |number: &usize| sections.get(*number).map_or(0, |open| open.heading.level);
            while open.last().is_some_and(|last| level(last) >= heading.level) {
                open.pop();
            }
            let parent = open.last().copied();
            open.push(sections.len());
            sections.push(Section { start: heading.start, heading, parent });
        }
        Self { sections }
    }

    /// The heading trails of ranges, which must be requested in order.
    pub(super) fn trails(&self) -> Trails<'_> {
        Trails { sections: &self.sections, next: 0 }
    }
}

/// Walks over the sections as ranges are asked for.
#[derive(Debug)]
pub(super) struct Trails<'a> {
    sections: &'a [Section<'a>],
    /// The first section that begins after the last range.
    next: usize,
}

impl Trails<'_> {
    /// The headings above a whole range.
    pub(super) fn over(&mut self, range: &Range<usize>) -> String {
        self.pass(range.start + 1);
        let mut chain = self.chain(self.next.checked_sub(1));
        while self.begins_before(range.end) {
            let other = self.chain(Some(self.next));
            let shared = chain.iter().zip(&other).take_while(|(a, b)| a == b).count();
            chain.truncate(shared);
            self.next += 1;
        }
        let words = chain.into_iter().filter_map(|number| self.sections.get(number));
        let words = words.map(|section| plain(&section.heading)).filter(|words| !words.is_empty());
        let words = words.map(|words| words.chars().take(MAX_TRAIL_CHARS).collect());
        words.collect::<Vec<String>>().join(JOINT)
    }

    fn pass(&mut self, end: usize) {
        while self.begins_before(end) {
            self.next += 1;
        }
    }

    fn begins_before(&self, end: usize) -> bool {
        self.sections.get(self.next).is_some_and(|section| section.start < end)
    }

    /// The sections around one and itself, outermost first.
    fn chain(&self, number: Option<usize>) -> Vec<usize> {
        let parent = |number: &usize| self.sections.get(*number)?.parent;
        let mut chain: Vec<usize> = std::iter::successors(number, parent).collect();
        chain.reverse();
        chain
    }
}
