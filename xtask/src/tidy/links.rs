//! Local links in Markdown lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let pages = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.flat_map(|page| check_page(root, page)).collect()
}

fn check_page(root: &Path, page: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join(page)).unwrap_or_default();
    let folder = root.join(page).parent().map(Path::to_owned).unwrap_or_default();
    let broken = targets(&text).filter(|target| !folder.join(target).exists());
    broken.map(|target| format!("{}: link to `{target}` leads nowhere", page.display())).collect()
}

/// The local targets of `[text](target)` outside of code fences, without their anchors.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    let prose = text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    });
    let links = prose.flat_map(|line| line.split("](").skip(1));
    let targets = links.filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}
