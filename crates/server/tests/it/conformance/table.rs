//! Which transport plays which script: a transport skips a script only for a reason, and every
//! script is played by at least one transport.

use std::collections::{BTreeMap, BTreeSet};

use aileron_contract::transport::Cancellation;
use aileron_rehearsal::{names, read};
use aileron_script::Script;

use super::modes::{Difference, has_other_mode, in_other_mode, why_different};
use super::program;
use super::skip::{Skip, skip};
use super::transport::Transport;

/// Reasons for which no transport can play a script. The pipeline's own tests cover these scripts.
const NOBODY: &[Skip] = &[
    Skip::ProcessCrash,
    Skip::NoSpeech,
    Skip::IdsAreUnique,
    Skip::DatedBack,
    Skip::ArgumentsAreNoObject,
    Skip::LeftBehind,
    Skip::AnswerUnderWay,
    Skip::NobodySpoke,
    Skip::ToldInItsOwnTime,
    Skip::TasksLeftRunning,
];

#[tokio::test]
async fn every_script_is_played_or_left_out_by_all_for_a_reason_that_holds_for_all() {
    let mut played = BTreeSet::new();
    for transport in Transport::ALL {
        played.extend(program(transport).await.into_iter().map(|part| file(&part.script.name)));
    }
    for script in names().iter().map(|name| read(name)) {
        if played.contains(&script.name) {
            continue;
        }
        let reasons = Transport::ALL.map(|transport| skip(transport, &script));
        let own = reasons.iter().flatten().filter(|reason| **reason != Skip::OtherMode);
        let own: BTreeSet<_> = own.copied().collect();
        assert!(own.iter().any(|reason| NOBODY.contains(reason)), "{}: {own:?}", script.name);
    }
}

/// The name of a script, whichever mode it is held in.
fn file(name: &str) -> String {
    name.split(',').next().unwrap_or_default().to_owned()
}

/// Each script with what each transport makes of it, for people to read and for changes to be seen.
#[tokio::test]
async fn the_table_says_who_plays_what_and_why_not() {
    let mut columns = Vec::new();
    for transport in Transport::ALL {
        let program = program(transport).await.into_iter();
        columns.push((transport, program.map(|part| part.script.name).collect::<BTreeSet<_>>()));
    }
    let counts = columns.iter().map(|(transport, names)| format!("{transport} {}", names.len()));
    let mut table = format!("played: {}\n\n", counts.collect::<Vec<_>>().join(", "));
    for script in names().iter().map(|name| read(name)) {
        let different = why_different(&script).await;
        let cell = |(transport, names): &(_, _)| cell(*transport, names, &script, different);
        let cells = columns.iter().map(cell);
        table.push_str(&format!("{}: {}\n", script.name, cells.collect::<Vec<_>>().join(", ")));
    }
    insta::assert_snapshot!(table);
}

/// A script that is left out without a reason is a fault.
fn cell(
    transport: Transport,
    played: &BTreeSet<String>,
    script: &Script,
    different: Option<Difference>,
) -> String {
    let other = in_other_mode(script);
    match skip(transport, script) {
        None => "played".to_owned(),
        Some(_) if played.contains(&other.name) => "played in its mode".to_owned(),
        Some(Skip::OtherMode) if has_other_mode(script) => match skip(transport, &other) {
            Some(why) => format!("{why:?} in its mode"),
            None => match different {
                Some(why) => format!("{why:?}"),
                None => panic!("{transport} leaves {} out for no reason", script.name),
            },
        },
        Some(why) => format!("{why:?}"),
    }
}

#[test]
fn only_a_transport_that_never_takes_calls_back_is_excused_from_it() {
    for transport in Transport::ALL {
        let never = transport
            .capabilities()
            .is_none_or(|capabilities| capabilities.cancellation == Cancellation::Never);
        let script = read("provider-takes-a-call-back");
        let excused = matches!(
            skip(transport, &script),
            Some(Skip::NoCancellation | Skip::OtherMode | Skip::OneMessageAtATime)
        );
        assert_eq!(excused, never, "{transport}");
    }
}

#[tokio::test]
async fn transports_of_one_mode_play_the_same_but_for_what_they_can_do() {
    let mut played: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for transport in Transport::ALL {
        let program = program(transport).await;
        let names = program.into_iter().map(|part| part.script.name).collect::<BTreeSet<_>>();
        played.entry(transport.mode().as_str()).or_default().push((transport, names));
    }
    for (mode, transports) in played {
        let all: BTreeSet<_> = transports.iter().flat_map(|(_, names)| names.clone()).collect();
        assert!(all.len() >= 30, "{} scripts are played in {mode}", all.len());
        for (transport, names) in &transports {
            for name in all.difference(names) {
                let why = skip(*transport, &read(&file(name)));
                assert_eq!(why, Some(Skip::NoCancellation), "{transport} leaves {name} out");
            }
        }
    }
}
