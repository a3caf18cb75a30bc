//! Calendars in a real folder.

use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::*;

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260205T090000Z\r\nDTEND:20260205T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

fn folder() -> (TempDir, Folder) {
    let root = tempfile::tempdir().unwrap();
    let folder = Folder::at(root.path(), Zone::default(), None);
    (root, folder)
}

fn day() -> TimeWindow {
    TimeWindow::read("2026-02-05T00:00:00Z", "2026-02-06T00:00:00Z").unwrap()
}

async fn busy(folder: &Folder, who: &str) -> (bool, Vec<String>) {
    let found = folder.busy(vec![who.to_owned()], day()).await.unwrap().people.remove(0);
    (found.readable, found.busy.iter().map(|it| it.span().start).collect())
}

fn event(uid: &str, start: &str, end: &str) -> NewEvent {
    NewEvent {
        uid: uid.to_owned(),
        title: "Review".to_owned(),
        agenda: String::new(),
        window: TimeWindow::read(start, end).unwrap(),
        zone: Zone::default(),
        attendees: vec!["mira@example.com".to_owned(), "guest@example.org".to_owned()],
        wants_link: false,
        join_url: None,
        stamp: "2026-02-01T00:00:00Z".parse().unwrap(),
    }
}

/// All attendees.
fn must_be_free(event: &NewEvent) -> RequiredAttendees {
    RequiredAttendees { people: event.attendees.clone(), organizer: true }
}

#[tokio::test]
async fn a_file_or_a_folder_named_after_an_address_is_a_calendar() {
    let (root, folder) = folder();
    assert_eq!(busy(&folder, "mira@example.com").await, (false, vec![]));
    fs::write(root.path().join("Mira@example.com.ics"), CALENDAR).unwrap();
    fs::create_dir(root.path().join("jon@example.com")).unwrap();
    fs::write(root.path().join("jon@example.com/one.ics"), CALENDAR).unwrap();
    fs::write(root.path().join("notes.txt"), "x").unwrap();
    let nine = (true, vec!["2026-02-05T09:00:00Z".to_owned()]);
    assert_eq!(busy(&folder, "mira@example.com").await, nine);
    assert_eq!(busy(&folder, "jon@example.com").await, nine);
}

#[tokio::test]
async fn a_change_of_a_file_is_seen_at_once() {
    let (root, folder) = folder();
    let file = root.path().join("mira@example.com.ics");
    for (hour, text) in [
        ("09", CALENDAR.to_owned()),
        ("08", CALENDAR.replace("T09", "T08")),
        ("07", CALENDAR.replace("T09", "T07")),
    ] {
        // Each of the same length, and quite likely within the same tick of the file system.
        fs::write(&file, text).unwrap();
        assert_eq!(
            busy(&folder, "mira@example.com").await,
            (true, vec![format!("2026-02-05T{hour}:00:00Z")])
        );
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(busy(&folder, "mira@example.com").await, (false, vec![]));
}

#[tokio::test]
async fn a_damaged_calendar_is_not_taken_for_a_free_one() {
    let (root, folder) = folder();
    fs::write(root.path().join("mira@example.com.ics"), "not a calendar").unwrap();
    assert_eq!(busy(&folder, "mira@example.com").await, (false, vec![]));
    fs::create_dir(root.path().join("mira@example.com")).unwrap();
    fs::write(root.path().join("mira@example.com/good.ics"), CALENDAR).unwrap();
    assert_eq!(
        busy(&folder, "mira@example.com").await,
        (false, vec!["2026-02-05T09:00:00Z".to_owned()])
    );
}

#[tokio::test]
async fn what_cannot_be_understood_is_told_with_its_reason_and_the_rest_still_counts() {
    let (root, folder) = folder();
    let odd = "BEGIN:VEVENT\r\nUID:odd\r\nDTSTART;TZID=Ours:20260205T120000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n";
    let file = root.path().join("mira@example.com.ics");
    let with = |odd: &str| CALENDAR.replace("END:VCALENDAR", &format!("{odd}END:VCALENDAR"));
    fs::write(&file, with(odd)).unwrap();
    let people = vec!["mira@example.com".to_owned(), "jon@example.com".to_owned()];
    let found = folder.busy(people.clone(), day()).await.unwrap().people;
    assert_eq!((found[0].readable, found[0].busy.len()), (false, 1));
    assert_eq!(
        found[0].remark.as_deref(),
        Some("mira@example.com.ics: event \"odd\": unknown time zone \"Ours\"")
    );
    assert_eq!(found[1].remark, None);
    // Years away it does not matter.
    fs::write(&file, with(&odd.replace("2026", "2020"))).unwrap();
    assert!(folder.busy(people.clone(), day()).await.unwrap().people[0].readable);
    // An event of all may be anybody's.
    fs::create_dir(root.path().join("events")).unwrap();
    fs::write(root.path().join("events/x.ics"), with(odd)).unwrap();
    let found = folder.busy(people, day()).await.unwrap().people;
    assert!(found[0].readable && found.iter().all(|it| it.remark.is_some()), "{found:?}");
}

#[tokio::test]
async fn an_index_that_is_damaged_is_made_again() {
    let (root, folder) = folder();
    fs::write(root.path().join("mira@example.com.ics"), CALENDAR).unwrap();
    assert!(busy(&folder, "mira@example.com").await.0);
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(root.path().join(format!(".index.db{end}")));
    }
    fs::write(root.path().join(".index.db"), "rubbish".repeat(1000)).unwrap();
    assert_eq!(busy(&folder, "mira@example.com").await.1.len(), 1);
}

#[tokio::test]
async fn an_event_is_one_file_and_takes_the_time_of_all_who_attend() {
    let (root, folder) = folder();
    let new = event("aileron-1", "2026-02-05T12:00:00Z", "2026-02-05T13:00:00Z");
    let free = must_be_free(&new);
    let made = folder.commit(new.clone(), free.clone()).await.unwrap();
    assert!(matches!(made, Commit::Made(_)), "{made:?}");
    assert!(root.path().join("events/aileron-1.ics").is_file());
    assert_eq!(
        busy(&folder, "guest@example.org").await,
        (false, vec!["2026-02-05T12:00:00Z".to_owned()])
    );
    assert!(matches!(folder.commit(new, free.clone()).await.unwrap(), Commit::Existed(_)));
    let second = event("aileron-2", "2026-02-05T12:30:00Z", "2026-02-05T13:30:00Z");
    assert_eq!(folder.commit(second.clone(), free).await.unwrap(), Commit::Taken(2));
    assert_eq!(fs::read_dir(root.path().join("events")).unwrap().count(), 1);
    assert!(matches!(
        folder.commit(second, RequiredAttendees::default()).await.unwrap(),
        Commit::Made(_)
    ));
}

#[tokio::test]
async fn an_event_that_somebody_moved_is_still_found() {
    let (root, folder) = folder();
    let new = event("aileron-1", "2026-02-05T12:00:00Z", "2026-02-05T13:00:00Z");
    folder.commit(new, RequiredAttendees::default()).await.unwrap();
    busy(&folder, "mira@example.com").await;
    fs::rename(root.path().join("events/aileron-1.ics"), root.path().join("mira@example.com.ics"))
        .unwrap();
    busy(&folder, "mira@example.com").await;
    assert!(folder.find("aileron-1".to_owned()).await.unwrap().is_some());
    assert!(folder.find("aileron-9".to_owned()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_large_file_that_is_no_text_or_cannot_be_read_hides_no_event() {
    let (root, folder) = folder();
    let new = event("aileron-1", "2026-02-05T12:00:00Z", "2026-02-05T13:00:00Z");
    folder.commit(new, RequiredAttendees::default()).await.unwrap();
    // Unreadable text, and the output of older programs, both too large for the index.
    fs::create_dir(root.path().join("jon@example.com")).unwrap();
    let latin = [CALENDAR.as_bytes(), &[0xFC; 20_000]].concat();
    fs::write(root.path().join("jon@example.com/old.ics"), &latin).unwrap();
    fs::File::create(root.path().join("kim@example.com.ics")).unwrap().set_len(1 << 30).unwrap();
    assert!(folder.find("aileron-9".to_owned()).await.unwrap().is_none());
    let moved = [&latin, &fs::read(root.path().join("events/aileron-1.ics")).unwrap()[..]].concat();
    fs::write(root.path().join("mira@example.com.ics"), moved).unwrap();
    fs::remove_file(root.path().join("events/aileron-1.ics")).unwrap();
    assert!(folder.find("aileron-1".to_owned()).await.unwrap().is_some());
}

#[tokio::test]
async fn the_calendar_of_the_organizer_is_told_and_holds_their_time() {
    let root = tempfile::tempdir().unwrap();
    let folder = Folder::at(root.path(), Zone::default(), Some("Me@example.com".to_owned()));
    fs::write(root.path().join("me@example.com.ics"), CALENDAR).unwrap();
    let told = folder.busy(vec!["mira@example.com".to_owned()], day()).await.unwrap();
    assert_eq!((told.people.len(), told.people[0].busy.len()), (1, 0));
    let organizer = told.organizer.unwrap();
    assert_eq!((organizer.address.as_str(), organizer.time.busy.len()), ("me@example.com", 1));
    let new = event("aileron-1", "2026-02-05T09:30:00Z", "2026-02-05T10:30:00Z");
    let free = must_be_free(&new);
    assert_eq!(folder.commit(new.clone(), free.clone()).await.unwrap(), Commit::Taken(1));
    let known = RequiredAttendees { organizer: false, ..free };
    assert!(matches!(folder.commit(new, known).await.unwrap(), Commit::Made(_)));
}

#[tokio::test]
async fn what_was_left_half_written_is_swept_away() {
    let (root, folder) = folder();
    let events = root.path().join("events");
    fs::create_dir(&events).unwrap();
    let hours = |count: u64| std::time::SystemTime::now() - Duration::from_secs(count * 3600);
    for (name, age) in [(".making-old", 2), (".making-young", 0), (".other", 2)] {
        fs::File::create(events.join(name)).unwrap().set_modified(hours(age)).unwrap();
    }
    let new = event("aileron-1", "2026-02-05T12:00:00Z", "2026-02-05T13:00:00Z");
    folder.commit(new, RequiredAttendees::default()).await.unwrap();
    let mut left: Vec<_> =
        fs::read_dir(&events).unwrap().map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [".making-young", ".other", "aileron-1.ics"]);
}

#[tokio::test]
async fn two_at_once_do_not_take_the_same_time() {
    let (_root, folder) = folder();
    let commits = (0..8).map(|number| {
        let new =
            event(&format!("aileron-{number}"), "2026-02-05T12:00:00Z", "2026-02-05T13:00:00Z");
        let free = must_be_free(&new);
        folder.commit(new, free)
    });
    let done = futures_util::future::join_all(commits).await;
    let made = done.into_iter().filter(|it| matches!(it, Ok(Commit::Made(_)))).count();
    assert_eq!(made, 1);
}

#[tokio::test]
async fn an_edit_by_another_program_is_seen_in_large_files_and_in_small_ones() {
    let (root, folder) = folder();
    let far = CALENDAR.replace("20260205", "20200205");
    fs::create_dir(root.path().join("jon@example.com")).unwrap();
    let small = root.path().join("jon@example.com/one.ics");
    let large = root.path().join("mira@example.com.ics");
    let padded =
        |text: &str| text.replace("UID:a", &format!("UID:a\r\nX-PAD:{}", "x".repeat(40_000)));
    fs::write(&small, &far).unwrap();
    fs::write(&large, padded(&far)).unwrap();
    for who in ["jon@example.com", "mira@example.com"] {
        assert_eq!(busy(&folder, who).await, (true, vec![]));
    }
    fs::write(&small, CALENDAR).unwrap();
    fs::write(&large, padded(CALENDAR)).unwrap();
    let nine = (true, vec!["2026-02-05T09:00:00Z".to_owned()]);
    for who in ["jon@example.com", "mira@example.com"] {
        assert_eq!(busy(&folder, who).await, nine, "{who}");
    }
    fs::write(&large, padded(CALENDAR).replace("END:VCALENDAR\r\n", "")).unwrap();
    fs::write(&small, far.replace("END:VCALENDAR\r\n", "")).unwrap();
    for who in ["jon@example.com", "mira@example.com"] {
        assert!(!busy(&folder, who).await.0, "{who}: a file that was cut off");
    }
}

#[tokio::test]
async fn an_older_index_is_made_again() {
    let (root, folder) = folder();
    fs::write(root.path().join("mira@example.com.ics"), CALENDAR).unwrap();
    let other = rusqlite::Connection::open(root.path().join(".index.db")).unwrap();
    other.execute_batch("CREATE TABLE file (id INTEGER); PRAGMA user_version = 1;").unwrap();
    drop(other);
    assert_eq!(busy(&folder, "mira@example.com").await.1.len(), 1);
}

#[tokio::test]
async fn a_newer_index_is_refused_and_left_as_it_is() {
    let (root, folder) = folder();
    let path = root.path().join(".index.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    let fault = folder.prepare().await.unwrap_err();
    assert!(
        fault.message.contains("expected format 2 or an older one, found format 99"),
        "{fault:?}"
    );
    let version = other.pragma_query_value(None, "user_version", |row| row.get(0));
    assert_eq!(version, Ok(99));
}

#[tokio::test]
async fn what_is_prepared_makes_no_folder_and_is_known_afterwards() {
    let (root, _) = folder();
    let nowhere = root.path().join("none");
    Folder::at(&nowhere, Zone::default(), None).prepare().await.unwrap();
    assert!(!nowhere.exists());
    fs::write(root.path().join("mira@example.com.ics"), CALENDAR).unwrap();
    let folder = Folder::at(root.path(), Zone::default(), None);
    folder.prepare().await.unwrap();
    assert!(root.path().join(".index.db").exists());
    assert_eq!(busy(&folder, "mira@example.com").await.1.len(), 1);
}

/// As large as calendars get: read right, and nothing of it in the way that is elsewhere.
#[tokio::test]
async fn a_calendar_of_fifty_thousand_events_is_read() {
    let (root, folder) = folder();
    let mut text = String::from("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n");
    for number in 0..50_000 {
        let day =
            jiff::civil::date(2020, 1, 1).saturating_add(jiff::Span::new().days(number % 4000));
        let (day, hour) = (day.strftime("%Y%m%d"), number / 4000 + 6);
        text.push_str(&format!(
            "BEGIN:VEVENT\r\nUID:{number}\r\nDTSTART:{day}T{hour:02}0000Z\r\nDURATION:PT30M\r\nEND:VEVENT\r\n"
        ));
    }
    text.push_str("END:VCALENDAR\r\n");
    fs::write(root.path().join("mira@example.com.ics"), text).unwrap();
    let (readable, starts) = busy(&folder, "mira@example.com").await;
    let hours = (6..18).map(|hour| format!("2026-02-05T{hour:02}:00:00Z"));
    // Of 50,000 events over 4,000 days, only the first half of the days have a thirteenth.
    assert_eq!((readable, starts.len()), (true, 12));
    assert!(hours.eq(starts), "each at its hour");
}
