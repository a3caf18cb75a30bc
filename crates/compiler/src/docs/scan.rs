//! Parses a Markdown text, in one pass over its events.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::fence::Fence;
use super::outline::{Heading, InlineCode, Name, Outline, Section};
use crate::source::Span;

/// The outline of a text.
pub(crate) fn parse(text: &str) -> Outline {
    let mut scan = Scan { text, ..Scan::default() };
    for (event, span) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        scan.event(event, span);
    }
    scan.outline
}

#[derive(Default)]
struct Scan<'a> {
    text: &'a str,
    outline: Outline,
    /// Nesting depth of lists, quotes and tables.
    depth: usize,
    /// The open sections, outermost first.
    sections: Vec<(u8, Section)>,
    heading: Option<Heading>,
    fence: Option<Fence>,
    /// The open entries, outermost first.
    entries: Vec<Labelled>,
    /// The name that the last sub-heading of a Parameters section gave.
    subject: Option<usize>,
    /// Nesting depth of bold and italic text.
    stress: usize,
    /// Whether the block that decides about the summary has passed.
    led: bool,
    /// Whether the next table cell is the first of its row.
    row_starts: bool,
}

/// An entry that may begin with a name.
#[derive(Default)]
struct Labelled {
    parent: Option<usize>,
    name: Option<usize>,
    below_prose: bool,
    /// Whether the entry has had only names and separators so far.
    leading: bool,
}

impl<'a> Scan<'a> {
    fn event(&mut self, event: Event<'a>, span: Span) {
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.plain(&text, &span),
            Event::Code(code) => self.code(&code, span),
            Event::Html(_) | Event::InlineHtml(_) => self.interrupt(),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'a>, span: Span) {
        match tag {
            Tag::Heading { level, .. } if self.depth == 0 => self.start_heading(level as u8, span),
            Tag::Paragraph if self.depth == 0 => self.lead(Some(span)),
            Tag::CodeBlock(kind) => self.start_block(kind, span),
            Tag::List(_) | Tag::BlockQuote(_) | Tag::Table(_) => {
                self.lead(None);
                self.interrupt();
                self.depth += 1;
            }
            Tag::Strong | Tag::Emphasis => self.stress += 1,
            Tag::Item => self.start_entry(),
            Tag::TableRow => self.row_starts = true,
            Tag::TableCell if self.row_starts => self.start_entry(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.end_heading(),
            TagEnd::CodeBlock => self.outline.fences.extend(self.fence.take()),
            TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::Table => self.depth -= 1,
            TagEnd::Strong | TagEnd::Emphasis => {
                self.stress = self.stress.saturating_sub(1);
                self.outline.stressed.push(' ');
            }
            TagEnd::Item => drop(self.entries.pop()),
            TagEnd::TableCell if self.row_starts => {
                self.row_starts = false;
                self.entries.pop();
            }
            _ => {}
        }
    }

    /// The first block below the title is the summary, or there is none.
    fn lead(&mut self, paragraph: Option<Span>) {
        if self.depth == 0 && !self.led {
            self.led = true;
            self.outline.lead = paragraph.map(|span| self.trimmed(span));
        }
    }

    fn trimmed(&self, span: Span) -> Span {
        let text = self.text.get(span.clone()).unwrap_or_default();
        span.start..span.start + text.trim_end().len()
    }

    fn start_heading(&mut self, level: u8, span: Span) {
        self.led = !self.outline.headings.is_empty();
        if !self.led {
            self.outline.lead = None;
        }
        self.sections.retain(|(outer, _)| *outer < level);
        self.subject = None;
        self.heading = Some(Heading { level, title: String::new(), span: self.trimmed(span) });
        self.start_entry();
    }

    fn end_heading(&mut self) {
        let Some(heading) = self.heading.take() else { return };
        self.subject = self.entries.pop().and_then(|entry| entry.name);
        self.sections.push((heading.level, Section::of(&heading.title)));
        self.outline.stressed.push_str(&heading.title);
        self.outline.stressed.push(' ');
        self.outline.headings.push(heading);
    }

    fn start_block(&mut self, kind: CodeBlockKind<'a>, span: Span) {
        self.lead(None);
        self.interrupt();
        if let CodeBlockKind::Fenced(info) = kind {
            let example = self.within(Section::Examples);
            self.fence = Some(Fence::new(&info, example, self.trimmed(span)));
        }
    }

    fn within(&self, section: Section) -> bool {
        self.sections.iter().any(|(_, open)| *open == section)
    }

    fn start_entry(&mut self) {
        let above = self.entries.last().and_then(|entry| entry.name.or(entry.parent));
        let leading = self.within(Section::Parameters);
        let is_prose = |entry: &Labelled| entry.below_prose || entry.name.is_none();
        let below_prose = self.entries.last().is_some_and(is_prose);
        let parent = above.or(self.subject);
        self.entries.push(Labelled { parent, name: None, below_prose, leading });
    }

    fn plain(&mut self, text: &str, span: &Span) {
        if let Some(fence) = &mut self.fence {
            return fence.push(text, span.start);
        }
        if let Some(heading) = &mut self.heading {
            heading.title.push_str(text);
        }
        if self.stress > 0 {
            self.outline.stressed.push_str(text);
        }
        if let Some(entry) = self.entries.last_mut() {
            entry.leading &= text.trim().is_empty() || (entry.name.is_some() && joins(text));
        }
    }

    fn code(&mut self, code: &str, span: Span) {
        if let Some(heading) = &mut self.heading {
            heading.title.push_str(code);
        }
        if let Some(entry) = self.entries.last_mut().filter(|entry| entry.leading) {
            entry.name.get_or_insert(self.outline.names.len());
            let (parent, below_prose) = (entry.parent, entry.below_prose);
            let name = Name { text: code.to_owned(), span: span.clone(), parent, below_prose };
            self.outline.names.push(name);
        }
        self.outline.codes.push(InlineCode { text: code.to_owned(), span });
    }

    /// Ends the leading names of the open entries.
    fn interrupt(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.leading = false;
        }
    }
}

/// Whether a text only separates two names: `start`, `end`.
fn joins(text: &str) -> bool {
    matches!(text.trim(), "," | "/" | "&" | "and" | "or" | ", and" | ", or")
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
