//! Finds links and email addresses. `linkify` knows where a link ends; the checks here drop results
//! that are neither a web page nor a valid mail address.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};

use super::found::{Found, Hit};

/// Characters that an address may contain by the standard, but that stand before one in practice:
/// `to=ada@example.com`, `'ada@example.com'`.
const BEFORE_AN_ADDRESS: &[char] =
    &['\'', '`', '"', '/', '=', '|', '?', '&', '#', '*', '{', '}', '!', '$', '^', '~', '-'];

/// The most characters of the part before the `@`, and of a label of the domain.
const LONGEST_LOCAL: usize = 64;
const LONGEST_LABEL: usize = 63;

pub(super) fn find(text: &str) -> Vec<Hit> {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    let hits = finder.links(text).filter_map(|link| match link.kind() {
        LinkKind::Url => page(link.as_str(), link.start()),
        LinkKind::Email => address(text, link.start()..link.end()),
        _ => None,
    });
    hits.collect()
}

/// A link with `http`, `https` or `www.`. Other names with dots in them are mostly files.
fn page(link: &str, start: usize) -> Option<Hit> {
    let link = link.trim_end_matches('*');
    let begins =
        |with: &str| link.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    let place = start..start + link.len();
    if begins("www.") {
        return Some(Found::Url(format!("https://{link}")).at(place));
    }
    (begins("https://") || begins("http://")).then(|| Found::Url(link.to_owned()).at(place))
}

fn address(text: &str, place: Range<usize>) -> Option<Hit> {
    let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
    let raw = text.get(place.clone())?;
    let (local, domain) = raw.rsplit_once('@')?;
    let skipped = local.rfind(BEFORE_AN_ADDRESS).filter(|at| !is_inside(local, *at));
    let start = skipped.map_or(0, |at| at + 1);
    let whole = start > 0 || (!is_cut(before) && !before.ends_with('@'));
    let local = local.get(start..)?;
    let fits = !local.is_empty() && local.chars().count() <= LONGEST_LOCAL && is_domain(domain);
    let found = Found::Email(format!("{local}@{domain}").to_lowercase());
    (whole && fits && !goes_on(after)).then(|| found.at(place.start + start..place.end))
}

/// Whether a mark is part of a name: `o'brien`, `jean-luc`, and not `'ada` or `to=ada`.
fn is_inside(local: &str, at: usize) -> bool {
    let between = local[..at].ends_with(char::is_alphanumeric)
        && local[at + 1..].starts_with(char::is_alphanumeric);
    between && local[at..].starts_with(['\'', '-', '&', '!', '#'])
}

/// Whether the part before the `@` began earlier: `ada..lovelace@` has lost its beginning, and what
/// follows an ellipsis has not.
fn is_cut(before: &str) -> bool {
    let name = before.trim_end_matches('.');
    let dots = before.len() - name.len();
    (1..3).contains(&dots) && name.ends_with(char::is_alphanumeric)
}

/// `git@host.example:path` names a place, and `a@b.example@c` nothing.
fn goes_on(after: &str) -> bool {
    let path = after.strip_prefix(':').is_some_and(|path| {
        path.starts_with(|next: char| next.is_alphanumeric() || "/~.".contains(next))
    });
    path || after.starts_with('@')
}

/// At least two labels, the last of letters.
fn is_domain(domain: &str) -> bool {
    let fits = |label: &str| {
        (1..=LONGEST_LABEL).contains(&label.chars().count())
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let Some((_, last)) = domain.rsplit_once('.') else { return false };
    let letters = last.chars().all(char::is_alphabetic) && last.chars().count() > 1;
    domain.split('.').all(fits) && (letters || last.starts_with("xn--"))
}
