//! "Did you mean": the closest of the valid names.

/// The candidate most similar to the given name, if one is close enough.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(name);
    let likeness = |candidate: &str| strsim::damerau_levenshtein(&wanted, &fold(candidate));
    candidates
        .into_iter()
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= tolerance(&wanted, candidate))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `did you mean ...?`, or the list of valid names.
pub(crate) fn did_you_mean(name: &str, candidates: &[&str]) -> Option<String> {
    closest(name, candidates.iter().copied()).map(|best| format!("did you mean `{best}`?"))
}

/// Folds case, dashes and underscores, which are ignored in comparisons.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).take(80).collect()
}

fn tolerance(name: &str, candidate: &str) -> usize {
    (name.len().min(candidate.len()) / 3).clamp(1, 3)
}
