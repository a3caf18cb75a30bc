//! The title and the visible text of an HTML page.
//!
//! No tree is built: tags are read one after another, and one that is not closed or not known does
//! no harm. Scripts, styles and elements that are never shown are left out.

use html_escape::decode_html_entities;

/// The words of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: Option<String>,
    pub(super) text: String,
}

/// Elements whose content is no markup: only their end tag ends them.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// Elements that are left out with all that is in them.
const HIDDEN: [&str; 9] =
    ["script", "style", "template", "noscript", "svg", "math", "iframe", "object", "textarea"];

/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 29] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
    "ul",
];

/// A tag: `<name ...>` or `</name>`.
struct Tag<'a> {
    name: String,
    is_end: bool,
    /// `<name/>`.
    is_empty: bool,
    /// After its `>`.
    rest: &'a str,
}

pub(super) fn read(html: &str) -> Page {
    let mut writer = Writer::default();
    let mut left = html;
    while let Some(start) = left.find('<') {
        let (text, markup) = left.split_at(start);
        writer.text(text);
        left = match tag(markup) {
            Some(tag) => writer.tag(tag),
            None => past_other(markup, &mut writer),
        };
    }
    writer.text(left);
    writer.finish()
}

/// The rest after a comment, a declaration, or a `<` that is text.
fn past_other<'a>(markup: &'a str, writer: &mut Writer) -> &'a str {
    let after = |end: &str| markup.find(end).and_then(|at| markup.get(at + end.len()..));
    if markup.starts_with("<!--") {
        return after("-->").unwrap_or_default();
    }
    if markup.starts_with("<!") || markup.starts_with("<?") || markup.starts_with("</") {
        return after(">").unwrap_or_default();
    }
    writer.text("<");
    markup.get(1..).unwrap_or_default()
}

fn tag(markup: &str) -> Option<Tag<'_>> {
    let inner = markup.strip_prefix('<')?;
    let (is_end, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    let length = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let (name, attributes) = inner.split_at(length.unwrap_or(inner.len()));
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = tag_end(attributes);
    let is_empty = attributes.get(..end).is_some_and(|text| text.ends_with('/'));
    let rest = attributes.get(end + 1..).unwrap_or_default();
    Some(Tag { name: name.to_ascii_lowercase(), is_end, is_empty, rest })
}

/// The position of the `>` of a tag, outside of quoted values. A tag that is never closed extends
/// to the end.
fn tag_end(attributes: &str) -> usize {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in attributes.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '>' => return at,
            // A quotation mark opens a value only after `=`; elsewhere it is a slip.
            None if matches!(c, '"' | '\'') && before == '=' => quote = Some(c),
            None => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    attributes.len()
}

/// The content of an element without markup in it, and the rest after its end tag.
fn raw<'a>(name: &str, content: &'a str) -> (&'a str, &'a str) {
    for (at, _) in content.match_indices("</") {
        let end = content.get(at..).and_then(tag).filter(|tag| tag.is_end && tag.name == name);
        if let Some(end) = end {
            return (content.get(..at).unwrap_or_default(), end.rest);
        }
    }
    (content, "")
}

/// Puts the words of a page together.
#[derive(Debug, Default)]
struct Writer {
    page: Page,
    heading: Option<String>,
    /// The element that is left out, and how often it was opened.
    hidden: Option<(String, usize)>,
    /// Open `<pre>` elements.
    preformatted: usize,
    /// The white space before the next word.
    gap: PendingSpace,
}

/// White space that is due.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum PendingSpace {
    #[default]
    None,
    Space,
    Line,
    Paragraph,
}

impl PendingSpace {
    const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Space => " ",
            Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

impl Writer {
    /// Applies a tag, and returns the rest that is to be read next.
    fn tag<'a>(&mut self, tag: Tag<'a>) -> &'a str {
        let name = tag.name.as_str();
        if !tag.is_end && !tag.is_empty && RAW.contains(&name) {
            let (content, rest) = raw(name, tag.rest);
            if name == "title" && self.hidden.is_none() && self.page.title.is_none() {
                self.page.title = words(content);
            }
            return rest;
        }
        if HIDDEN.contains(&name) {
            self.hide(&tag);
        } else if self.hidden.is_none() {
            self.shape(&tag);
        }
        tag.rest
    }

    fn hide(&mut self, tag: &Tag<'_>) {
        match (&mut self.hidden, tag.is_end) {
            (None, false) if !tag.is_empty => self.hidden = Some((tag.name.clone(), 1)),
            (Some((name, depth)), false) if *name == tag.name && !tag.is_empty => *depth += 1,
            (Some((name, depth)), true) if *name == tag.name => *depth -= 1,
            _ => {}
        }
        self.hidden.take_if(|(_, depth)| *depth == 0);
    }

    /// Applies the effect of a tag on the text around it.
    fn shape(&mut self, tag: &Tag<'_>) {
        match tag.name.as_str() {
            "br" | "tr" => self.due(PendingSpace::Line),
            "td" | "th" => self.due(PendingSpace::Space),
            "li" if tag.is_end => self.due(PendingSpace::Line),
            "li" => {
                self.due(PendingSpace::Line);
                self.push("- ");
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(tag),
            "pre" => {
                self.due(PendingSpace::Paragraph);
                let open = self.preformatted;
                self.preformatted = if tag.is_end { open.saturating_sub(1) } else { open + 1 };
            }
            name if BLOCKS.contains(&name) => self.due(PendingSpace::Paragraph),
            _ => {}
        }
    }

    fn heading(&mut self, tag: &Tag<'_>) {
        self.due(PendingSpace::Paragraph);
        if tag.is_end {
            return self.end_heading();
        }
        self.end_heading();
        self.heading = Some(String::new());
        let level = tag.name.bytes().last().map_or(1, |digit| usize::from(digit - b'0'));
        self.push(&format!("{} ", "#".repeat(level)));
    }

    /// The first heading is the title of a page without one; headings of any level do.
    fn end_heading(&mut self) {
        let heading = self.heading.take().and_then(|heading| words(&heading));
        if self.page.title.is_none() {
            self.page.title = heading;
        }
    }

    fn due(&mut self, gap: PendingSpace) {
        self.gap = self.gap.max(gap);
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() || self.hidden.is_some() {
            return;
        }
        let text = decode_html_entities(text);
        if let Some(heading) = &mut self.heading {
            heading.push_str(&text);
        }
        if self.preformatted > 0 {
            return self.push(&text);
        }
        let starts_apart = text.starts_with(char::is_whitespace);
        for (place, word) in text.split_whitespace().enumerate() {
            if place > 0 || starts_apart {
                self.due(PendingSpace::Space);
            }
            self.push(word);
        }
        if text.ends_with(char::is_whitespace) {
            self.due(PendingSpace::Space);
        }
    }

    fn push(&mut self, text: &str) {
        let written = &mut self.page.text;
        // The marker of a heading or an item includes its space.
        let is_spaced =
            written.is_empty() || self.gap == PendingSpace::Space && written.ends_with(' ');
        if !is_spaced {
            written.push_str(self.gap.as_str());
        }
        written.push_str(text);
        self.gap = PendingSpace::None;
    }

    fn finish(mut self) -> Page {
        self.end_heading();
        self.page.text = self.page.text.trim().to_owned();
        self.page
    }
}

/// A text on one line; none without words.
fn words(text: &str) -> Option<String> {
    let text = decode_html_entities(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}
