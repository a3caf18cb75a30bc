//! The sentences about meetings, and the words by which a request for one is recognised.

pub(super) const NOT_SPOKEN: &str =
    "I cannot arrange meetings while we talk. It works in writing: say “let us continue in text”.";
pub(super) const NOT_HERE: &str = "I have no calendar here, so I cannot arrange that.";
pub(super) const NO_TIME: &str = "I found no time that suits.";
pub(super) const NOTHING_YET: &str = "Nothing is booked yet. Which one shall I book?";
pub(super) const WHO: &str = "I still need an email address, or the name of somebody else.";
pub(super) const NO_LENGTH: &str = "You named no length, so I took 30 minutes.";
pub(super) const FIRST_DAY: &str = "I looked at the first of the times that you named.";
pub(super) const NO_SERIES: &str = "I book one meeting, not a series.";
pub(super) const NOTHING_FITS: &str = "There is no time in the working hours of those days.";

// The reply to each is read together with the earlier words.
pub(super) const ANOTHER_TIME: &str =
    "I still need another day, or the exact time if it shall be then.";
pub(super) const WHICH_DAY: &str =
    "I still need the day, such as 24 December, 2026-12-24 or next Tuesday.";
pub(super) const MONTH_IN_WORDS: &str =
    "I still need the day with its month in words, such as 4 March.";
pub(super) const WHICH_TIME: &str = "I still need the time, such as 14:30, 3 pm or half past two.";
pub(super) const AHEAD: &str = "I still need a day and a time that lie ahead.";

/// Words that ask for more than one meeting.
pub(super) const SERIES: &[&str] = &[
    "every day",
    "every week",
    "every month",
    "every monday",
    "every tuesday",
    "every wednesday",
    "every thursday",
    "every friday",
    "every other",
    "each week",
    "each day",
    "once a week",
    "recurring",
    "repeating",
];

/// Verbs that ask for a meeting without further words.
pub(super) const VERBS: &[&str] = &[
    "schedule", "arrange", "set up", "organise", "organize", "meet", "invite", "book", "plan",
    "propose",
];

/// Those of them that also apply to other things: "book the screening room".
pub(super) const OF_OTHERS: &[&str] = &["book", "plan", "propose"];
