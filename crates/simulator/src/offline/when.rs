//! Dates, times of day and durations in the words. A day named by its distance counts from the date
//! that the instructions give; without one it is not known.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time, Weekday};

use super::word::{fold, has, number};

/// What instructions put before the date.
const CLUES: &[&str] = &[
    "today is",
    "today:",
    "current date",
    "current time",
    "date and time",
    "it is now",
    "the date is",
    "the time is",
    "now:",
];

/// How far behind a clue the date may stand.
const NEAR: usize = 48;

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The date of the conversation and the person's offset from UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Today {
    pub(super) date: Date,
    /// The hour and the minute, where they are given.
    pub(super) time: Option<Time>,
    /// Such as `+01:00` or `Z`.
    pub(super) offset: String,
}

/// The date that the instructions give.
pub(super) fn today(instructions: &str) -> Option<Today> {
    let lower = instructions.to_ascii_lowercase();
    let clues =
        CLUES.iter().flat_map(|clue| lower.match_indices(clue).map(|(at, clue)| at + clue.len()));
    let mut near: Vec<usize> = clues.collect();
    near.sort_unstable();
    near.into_iter().find_map(|from| {
        let window: String = instructions.get(from..)?.chars().take(NEAR).collect();
        let (date, behind) = iso_date(&window)?;
        let time = behind.strip_prefix('T').and_then(|clock| clock.get(..5)?.parse().ok());
        Some(Today { date, time, offset: offset(behind).unwrap_or_else(|| "Z".to_owned()) })
    })
}

/// The first ISO date and what follows it.
fn iso_date(text: &str) -> Option<(Date, &str)> {
    text.char_indices().find_map(|(at, _)| {
        let candidate = text.get(at..at + 10)?;
        let parts: Vec<&str> = candidate.split('-').collect();
        let [year, month, day] = parts.as_slice() else { return None };
        let digits = |part: &str, count| {
            part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
            return None;
        }
        let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
        Some((date, &text[at + 10..]))
    })
}

/// The offset at the end of a time that follows a date.
fn offset(behind: &str) -> Option<String> {
    let word = behind.split_whitespace().next()?.strip_prefix('T')?;
    let at = word.find(['+', '-'])?;
    let offset = word.get(at..at + 6)?;
    let (hours, minutes) = offset[1..].split_once(':')?;
    (hours.parse::<u8>().ok()? <= 14 && minutes.parse::<u8>().ok()? < 60).then(|| offset.to_owned())
}

/// The day that the words name.
pub(super) fn day(text: &str, today: Option<&Today>) -> Option<Date> {
    if let Some((date, _)) = iso_date(text) {
        return Some(date);
    }
    let folded = fold(text);
    calendar_day(&folded, today).or_else(|| relative_day(&folded, today?.date))
}

/// `3 february 2026`, `february 3rd`, `the 3rd of february`.
fn calendar_day(folded: &str, today: Option<&Today>) -> Option<Date> {
    let words: Vec<&str> =
        folded.split_whitespace().filter(|word| *word != "of" && *word != "the").collect();
    let ordinal = |word: &str| {
        let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        digits.parse::<i8>().ok().filter(|day| (1..=31).contains(day))
    };
    words.iter().enumerate().find_map(|(at, word)| {
        let month = MONTHS
            .iter()
            .position(|known| known == word || (word.len() == 3 && known.starts_with(word)))?;
        let month = i8::try_from(month + 1).ok()?;
        let before = at.checked_sub(1).and_then(|at| ordinal(words[at]));
        let day = before.or_else(|| ordinal(words.get(at + 1)?))?;
        let year = words
            .iter()
            .skip(at + 1)
            .take(2)
            .find_map(|word| word.parse::<i16>().ok().filter(|year| *year > 1900));
        match (year, today) {
            (Some(year), _) => Date::new(year, month, day).ok(),
            (None, Some(today)) => {
                let this = Date::new(today.date.year(), month, day).ok()?;
                if this < today.date {
                    Date::new(today.date.year() + 1, month, day).ok()
                } else {
                    Some(this)
                }
            }
            (None, None) => None,
        }
    })
}

fn relative_day(folded: &str, today: Date) -> Option<Date> {
    let later = |days: i64| today.checked_add(days.days()).ok();
    if has(folded, "day after tomorrow") {
        return later(2);
    }
    if has(folded, "tomorrow") {
        return later(1);
    }
    if has(folded, "today") || has(folded, "tonight") {
        return Some(today);
    }
    let words: Vec<&str> = folded.split_whitespace().collect();
    let counted = words.windows(3).find_map(|three| match three {
        ["in", count, "day" | "days"] => number(count).filter(|count| (0..=3660).contains(count)),
        ["in", count, "week" | "weeks"] => {
            number(count).filter(|count| (0..=520).contains(count)).map(|count| count * 7)
        }
        _ => None,
    });
    if let Some(days) = counted {
        return later(days);
    }
    let (_, weekday) = WEEKDAYS.iter().find(|(name, _)| has(folded, name))?;
    today.nth_weekday(1, *weekday).ok()
}

/// The time of day that the words name.
pub(super) fn time(text: &str) -> Option<Time> {
    let folded: String = text.to_lowercase();
    if has(&fold(text), "noon") {
        return Time::new(12, 0, 0, 0).ok();
    }
    let words: Vec<&str> = folded
        .split(|letter: char| letter.is_whitespace() || ",;?!()".contains(letter))
        .filter(|word| !word.is_empty())
        .collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let announced = at > 0 && matches!(words[at - 1], "at" | "from" | "around");
        clock(word.trim_end_matches('.'), next.trim_end_matches('.'), announced)
    })
}

/// `10:30`, `10am`, `3 pm`, or a bare hour that was announced.
fn clock(word: &str, next: &str, announced: bool) -> Option<Time> {
    let half = [word, next].iter().find_map(|word| {
        match word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ':') {
            "am" | "a.m" => Some(0),
            "pm" | "p.m" => Some(12),
            _ => None,
        }
    });
    let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let (hour, minute, whole) = match digits.split_once(':') {
        Some((hour, minute)) if minute.len() == 2 => {
            (hour.parse::<i8>().ok()?, minute.parse::<i8>().ok()?, true)
        }
        Some(_) => return None,
        None => (digits.parse::<i8>().ok()?, 0, false),
    };
    let half_is_own =
        half.is_some() && (word != digits || matches!(next, "am" | "pm" | "a.m" | "p.m"));
    let oclock = next == "oclock" || next == "o'clock";
    let hour = match half.filter(|_| half_is_own) {
        Some(12) if hour < 12 => hour + 12,
        Some(0) if hour == 12 => 0,
        Some(_) => hour,
        None if whole || oclock => hour,
        None if announced && word == digits && !is_unit(next) => hour,
        None => return None,
    };
    Time::new(hour, minute, 0, 0).ok()
}

fn is_unit(word: &str) -> bool {
    ["minute", "hour", "min", "day", "week", "people", "person"]
        .iter()
        .any(|unit| word.starts_with(unit))
}

/// The moment that the words name, with its offset; midnight if they name a day alone.
pub(super) fn moment(text: &str, today: Option<&Today>) -> Option<String> {
    if let Some(stated) = stated_moment(text) {
        return Some(stated);
    }
    let day = day(text, today)?;
    let time = time(text).unwrap_or_else(Time::midnight);
    Some(stamp(day.to_datetime(time), today))
}

/// A date with a time of day, both named.
pub(super) fn exact_moment(text: &str, today: Option<&Today>) -> Option<String> {
    stated_moment(text).or_else(|| Some(stamp(day(text, today)?.to_datetime(time(text)?), today)))
}

/// A moment written in full.
fn stated_moment(text: &str) -> Option<String> {
    let (_, behind) = iso_date(text)?;
    let at = text.len() - behind.len() - 10;
    let rest = text.get(at..)?;
    let word = rest
        .split(|letter: char| letter.is_whitespace() || ",;\"?!)".contains(letter))
        .next()?
        .trim_end_matches('.');
    let clock = word.get(10..)?.strip_prefix('T')?;
    let time = clock.get(..5)?;
    let (hour, minute) = time.split_once(':')?;
    Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    let zone = &clock[5..];
    let zone = zone.strip_prefix(':').map_or(zone, |seconds| {
        seconds.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
    });
    let zone = match zone {
        "" => "Z".to_owned(),
        "Z" => "Z".to_owned(),
        zone => offset(&format!("T{time}{zone}"))?,
    };
    Some(format!("{}T{time}:00{zone}", &word[..10]))
}

fn stamp(moment: DateTime, today: Option<&Today>) -> String {
    let offset = today.map_or("Z", |today| today.offset.as_str());
    format!("{}{offset}", moment.strftime("%Y-%m-%dT%H:%M:00"))
}

/// A length of time in minutes.
pub(super) fn minutes(text: &str) -> Option<i64> {
    let folded = fold(text);
    if has(&folded, "half an hour") || has(&folded, "half hour") {
        return Some(30);
    }
    if has(&folded, "quarter of an hour") {
        return Some(15);
    }
    if has(&folded, "an hour and a half")
        || has(&folded, "one and a half hours")
        || has(&folded, "1 5 hours")
    {
        return Some(90);
    }
    let words: Vec<&str> = folded.split_whitespace().collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let glued = word.find(|letter: char| !letter.is_ascii_digit()).filter(|cut| *cut > 0);
        let (count, unit) = match glued {
            Some(cut) => (word[..cut].parse().ok(), &word[cut..]),
            None if matches!(*word, "a" | "an") => (Some(1), next),
            None => (number(word), next),
        };
        in_minutes(count?, unit)
    })
}

fn in_minutes(count: i64, unit: &str) -> Option<i64> {
    let each = match unit {
        "m" | "min" | "mins" | "minute" | "minutes" => 1,
        "h" | "hr" | "hrs" | "hour" | "hours" => 60,
        _ => return None,
    };
    count.checked_mul(each).filter(|minutes| (1..=100_000).contains(minutes))
}

#[cfg(test)]
#[path = "when_tests.rs"]
mod tests;
