//! Questions that several records answer differently: the agent asks the person which record they
//! mean.

use super::argument::ASKING;
use super::evidence::Evidence;
use super::question::ParsedQuestion;

/// The maximum number of records named in the question to the person.
const MOST: usize = 4;

/// The question to the person, if the words match several records equally well.
pub(super) fn ask(question: &ParsedQuestion<'_>, records: &[Evidence]) -> Option<String> {
    let meant = several(question, records)?;
    let titles: Vec<&str> = meant.iter().take(MOST).map(|record| record.title.as_str()).collect();
    Some(format!("Which one do you mean: {}? {ASKING} its name.", alternatives(&titles)))
}

/// `a, b or c`
pub(super) fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The records that the words name, or whose field they name, if there are several and the words
/// contain nothing else.
fn several<'a>(
    question: &ParsedQuestion<'_>,
    records: &'a [Evidence],
) -> Option<Vec<&'a Evidence>> {
    let all = question.wanted.len();
    if all == 0 || records.iter().any(|record| record.is_subject(&question.wanted)) {
        return None;
    }
    let titled = |record: &&Evidence| question.overlap(&record.title) == all;
    let field =
        |record: &&Evidence| record.shown_fields().any(|(name, _)| question.overlap(&name) == all);
    let of = |fits: &dyn Fn(&&Evidence) -> bool| -> Vec<&'a Evidence> {
        records.iter().filter(fits).collect()
    };
    let (titled, fields) = (of(&titled), of(&field));
    [titled, fields].into_iter().find(|records| records.len() > 1)
}
