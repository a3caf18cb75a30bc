//! A process that is killed again and again, and whose calls are delivered again after each
//! restart, loses no answer it gave, repeats no side effect and leaves one record per write.
//!
//! 100 kills by default; `AILERON_KILLS=1000 cargo test -p aileron-orchestrator crash` for more.

mod victim;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{BuildHasher, RandomState};

use aileron_contract::Outcome;
use aileron_store::{AuditFilter, SqliteStore, Store};
use tempfile::TempDir;

use self::victim::{Said, TASKS};
use crate::child::{self, Process};

/// Kills per database; then a new one is used, so that a long run does not get slower.
const KILLS_PER_STORE: usize = 50;

fn kills() -> usize {
    let asked = std::env::var("AILERON_KILLS").ok();
    asked.map_or(100, |kills| kills.parse().expect("a number of kills"))
}

#[test]
fn nothing_answered_is_lost_and_nothing_runs_twice() {
    if child::folder().is_some() {
        return;
    }
    let mut met = Met::default();
    let (mut left, all) = (kills(), kills());
    while left > 0 {
        let kills = left.min(KILLS_PER_STORE);
        met.add(&haunt(kills));
        left -= kills;
    }
    assert!(met.unfinished > 0, "no kill of {all} met a running write");
    assert!(met.replayed > 0, "no call of {all} restarts was delivered again");
    assert!(met.approved > 0, "no approved call was answered in {all} runs");
}

/// The totals over all kills.
#[derive(Debug, Default)]
struct Met {
    unfinished: usize,
    replayed: usize,
    approved: usize,
}

impl Met {
    fn add(&mut self, other: &Self) {
        self.unfinished += other.unfinished;
        self.replayed += other.replayed;
        self.approved += other.approved;
    }
}

/// Kills over one database.
fn haunt(kills: usize) -> Met {
    let folder = tempfile::tempdir().unwrap();
    let mut parent = Parent { folder, answers: BTreeMap::new(), met: Met::default() };
    for kill in 0..kills {
        parent.send_back();
        let mut victim = Process::start("crash::victim::victim", parent.folder.path());
        // After a random number of answers, so that the kill interrupts the tasks at any point.
        let answers = 1 + RandomState::new().hash_one(kill) % 60;
        let mut said: Vec<_> = (0..answers).map_while(|_| victim.line()).collect();
        assert_eq!(said.len() as u64, answers, "the victim died by itself");
        said.extend(victim.kill());
        said.iter().filter_map(|line| Said::parse(line)).for_each(|said| parent.hear(said));
        parent.check();
    }
    parent.met
}

struct Parent {
    folder: TempDir,
    /// The first answer to each call, by conversation and call.
    answers: BTreeMap<(String, String), Said>,
    met: Met,
}

impl Parent {
    /// Makes the next victim begin one conversation before the place of each task.
    fn send_back(&self) {
        let latest = |task: usize| {
            let own =
                self.answers.keys().filter_map(|(conversation, _)| victim::place(conversation));
            own.filter(|(of, _)| *of == task).map(|(_, at)| at).max().unwrap_or(0)
        };
        let places: Vec<_> =
            (0..TASKS).map(|task| latest(task).saturating_sub(1).to_string()).collect();
        fs::write(self.folder.path().join("places"), places.join(" ")).unwrap();
    }

    /// A repeated answer must equal the first.
    fn hear(&mut self, said: Said) {
        let call = (said.conversation.clone(), said.call.clone());
        let Some(first) = self.answers.get(&call) else {
            self.met.unfinished += usize::from(said.word == "OUTCOME_UNKNOWN");
            self.met.approved += usize::from(said.call == "approved" && said.word == "ok");
            self.answers.insert(call, said);
            return;
        };
        assert_eq!((&first.word, &first.number), (&said.word, &said.number), "{call:?}");
        assert!(said.replayed || said.word != "ok", "{call:?} ran again");
        self.met.replayed += usize::from(said.replayed);
    }

    fn check(&self) {
        let effects = self.effects();
        for said in self.answers.values() {
            let key = (said.conversation.clone(), said.number.clone());
            if said.word == "ok" {
                assert!(effects.contains(&key), "{said:?} had no effect");
            }
        }
        self.check_records();
    }

    /// Conversation and number of every side effect; the keys of them are all different.
    fn effects(&self) -> BTreeSet<(String, String)> {
        let text = fs::read_to_string(self.folder.path().join("effects")).unwrap_or_default();
        let mut keys = BTreeSet::new();
        let mut effects = BTreeSet::new();
        for line in text.lines() {
            let [conversation, key, number] = line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            assert!(keys.insert((conversation, key)), "{conversation} {key} happened twice");
            effects.insert((conversation.to_owned(), number.to_owned()));
        }
        effects
    }

    /// One record for every write that was answered or had its effect. The record of a confirmation
    /// request may be lost in a crash, because nothing depends on it; there are never two.
    fn check_records(&self) {
        let store =
            SqliteStore::open(self.folder.path().join("store.db"), Default::default()).unwrap();
        store.verify_audit().unwrap();
        let mut records = BTreeMap::new();
        for record in store.audit(AuditFilter::default()) {
            let entry = record.unwrap().entry;
            let call = victim::name_of(entry.call_id.as_str());
            let key = (entry.conversation.to_string(), call);
            assert!(
                records.insert(key.clone(), entry.outcome).is_none(),
                "{key:?} has two records"
            );
        }
        for (call, said) in &self.answers {
            match (said.word.as_str(), records.get(call)) {
                ("ok", Some(Outcome::Completed)) => {}
                ("OUTCOME_UNKNOWN", Some(Outcome::ProcessDied)) => {}
                ("CONFIRMATION_REQUIRED", _) => {}
                (word, found) => panic!("{call:?} was answered {word} and recorded {found:?}"),
            }
        }
    }
}
