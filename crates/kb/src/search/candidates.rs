//! The passages that may be among the best: those with the highest scores by words, those
//! nearest in meaning, and exact matches, all among those that the filter allows.

use aileron_contract::kb::SearchNote;
use rayon::prelude::*;
use tantivy::Term;
use tantivy::query::{EnableScoring, PhraseQuery, Query as _, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::SearchError;
use super::by_words::by_words;
use super::rank::{PassageCandidate, PassageRef, Plan};
use super::set::{ShardSet, failed};
use crate::bitmap::Bitmap;
use crate::query::Query;
use crate::shard::Shard;
use crate::shard::filter::Filter;
use crate::shard::schema::Analysis;

/// With as many passages or more, the work is spread over the cores.
const MANY: u64 = 20_000;

/// The passages found, and whether there are no more.
#[derive(Debug)]
pub(super) struct Pool {
    /// Sorted, each once.
    pub(super) passages: Vec<PassageCandidate>,
    pub(super) exhausted: bool,
}

/// The passages that one shard found, with their scores in each respect.
#[derive(Debug, Default)]
struct ShardHits {
    words: Vec<(u32, f32)>,
    meaning: Vec<(u32, f32)>,
    exact: Vec<u32>,
}

/// The passages of each shard that may be found: those with all phrases of the query. Phrases that
/// no passage has are searched as words, and a note says so.
pub(super) fn scopes(
    set: &ShardSet,
    query: &Query,
    filter: &Filter,
) -> Result<(Vec<Bitmap>, Vec<SearchNote>), SearchError> {
    let allowed = over(set, |_, shard| shard.allowed(filter))?;
    let mut notes = Vec::new();
    if is_empty(&allowed) {
        return Ok((allowed, notes));
    }
    let mut scopes = allowed.clone();
    for phrase in &query.phrases {
        let saying = over(set, |_, shard| saying(shard, &phrase.words))?;
        if is_empty(&shared(&allowed, &saying)) {
            notes.push(SearchNote::PhraseNotFound { phrase: phrase.text.clone() });
        } else {
            scopes = shared(&scopes, &saying);
        }
    }
    if is_empty(&scopes) {
        notes.push(SearchNote::PhrasesApart);
        return Ok((allowed, notes));
    }
    Ok((scopes, notes))
}

fn is_empty(scopes: &[Bitmap]) -> bool {
    scopes.iter().all(|scope| scope.count() == 0)
}

/// The passages that both have, shard by shard.
fn shared(scopes: &[Bitmap], others: &[Bitmap]) -> Vec<Bitmap> {
    let both = |(scope, other): (&Bitmap, &Bitmap)| {
        let mut scope = scope.clone();
        scope.intersect(other);
        scope
    };
    scopes.iter().zip(others).map(both).collect()
}

/// The best `wanted` passages in each respect.
pub(super) fn gather(
    set: &ShardSet,
    scopes: &[Bitmap],
    plan: &Plan<'_>,
    wanted: usize,
) -> Result<Pool, SearchError> {
    let found = over(set, |place, shard| in_shard(shard, &scopes[place], plan, wanted))?;
    let (words, complete) = best(set, &found, |found| &found.words, wanted);
    let (meaning, all) = best(set, &found, |found| &found.meaning, wanted);
    let exact = found.iter().enumerate().flat_map(|(shard, found)| {
        found.exact.iter().map(move |number| PassageRef { shard, number: *number })
    });
    let mut passages: Vec<PassageCandidate> = meaning
        .into_iter()
        .map(|(place, cosine)| PassageCandidate { place, cosine: Some(cosine) })
        .collect();
    let others = words.into_iter().map(|(place, _)| place).chain(exact);
    passages.extend(others.map(|place| PassageCandidate { place, cosine: None }));
    // Of two entries for a passage, the one with a cosine sorts first and is kept.
    passages.sort_by_key(|likely| (likely.place, likely.cosine.is_none()));
    passages.dedup_by_key(|likely| likely.place);
    Ok(Pool { passages, exhausted: complete && all })
}

/// The best over all shards, of equal ones the first rows; and whether that is all.
fn best(
    set: &ShardSet,
    found: &[ShardHits],
    part: impl Fn(&ShardHits) -> &Vec<(u32, f32)>,
    wanted: usize,
) -> (Vec<(PassageRef, f32)>, bool) {
    let places = found.iter().enumerate().flat_map(|(shard, found)| {
        part(found)
            .iter()
            .map(move |(number, score)| (PassageRef { shard, number: *number }, *score))
    });
    let mut scored: Vec<(PassageRef, f32)> = places.collect();
    let all = scored.len() < wanted;
    if scored.len() > wanted {
        let row = |place: &PassageRef| set.shards()[place.shard].row(place.number);
        scored.select_nth_unstable_by(wanted - 1, |(a, left), (b, right)| {
            right.total_cmp(left).then_with(|| row(a).cmp(&row(b))).then_with(|| a.cmp(b))
        });
        scored.truncate(wanted);
    }
    (scored, all)
}

/// Runs `work` for every shard, in parallel if there is enough to do.
pub(super) fn over<T: Send>(
    set: &ShardSet,
    work: impl Fn(usize, &Shard) -> tantivy::Result<T> + Sync,
) -> Result<Vec<T>, SearchError> {
    let one = |(place, shard): (usize, &std::sync::Arc<Shard>)| {
        work(place, shard).map_err(|error| failed(shard, &error))
    };
    match set.shards().len() > 1 && set.passages() >= MANY {
        true => set.shards().par_iter().enumerate().map(one).collect(),
        false => set.shards().iter().enumerate().map(one).collect(),
    }
}

fn in_shard(
    shard: &Shard,
    allowed: &Bitmap,
    plan: &Plan<'_>,
    wanted: usize,
) -> tantivy::Result<ShardHits> {
    let count = allowed.count();
    if count == 0 {
        return Ok(ShardHits::default());
    }
    let words = || by_words(shard, allowed, plan.terms, wanted);
    let meaning = || by_meaning(shard, allowed, plan, wanted);
    let (words, meaning) = match plan.meaning.is_some() && u64::from(count) >= MANY {
        true => rayon::join(words, meaning),
        false => (words(), meaning()),
    };
    Ok(ShardHits { words: words?, meaning, exact: exact(shard, allowed, plan, wanted)? })
}

fn by_meaning(shard: &Shard, allowed: &Bitmap, plan: &Plan<'_>, wanted: usize) -> Vec<(u32, f32)> {
    let (Some((vector, _)), Some(vectors)) = (plan.meaning, shard.vectors()) else {
        return Vec::new();
    };
    let near = vectors.nearest(vector, allowed, wanted);
    near.into_iter().map(|near| (near.row, near.similarity)).collect()
}

/// The passages of the record whose id was asked for, and those with the title.
fn exact(
    shard: &Shard,
    allowed: &Bitmap,
    plan: &Plan<'_>,
    wanted: usize,
) -> tantivy::Result<Vec<u32>> {
    let row = plan.id.map_or(0..0, |row| shard.passages_of(row));
    let mut found: Vec<u32> =
        row.filter(|passage| allowed.contains(*passage)).take(wanted).collect();
    if let Some(title) = &plan.query.title {
        found.extend(shard.titled(title, allowed, wanted)?);
    }
    Ok(found)
}

/// The passages in which a phrase occurs.
fn saying(shard: &Shard, phrase: &[(usize, String)]) -> tantivy::Result<Bitmap> {
    let field = shard.fields().words(Analysis::Plain);
    let term = |(place, word): &(usize, String)| (*place, Term::from_field_text(field, word));
    let mut terms: Vec<(usize, Term)> = phrase.iter().map(term).collect();
    let scoring = EnableScoring::disabled_from_searcher(shard.searcher());
    let weight = match terms.len() {
        0 => return Ok(Bitmap::full(shard.passages())),
        1 => TermQuery::new(terms.remove(0).1, IndexRecordOption::Basic).weight(scoring)?,
        _ => PhraseQuery::new_with_offset(terms).weight(scoring)?,
    };
    let mut found = Bitmap::empty(shard.passages());
    weight.for_each_no_score(shard.segment(), &mut |passages| {
        passages.iter().for_each(|passage| found.insert(*passage));
    })?;
    Ok(found)
}
