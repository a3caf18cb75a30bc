// Finds the sensitive subjects an image prompt touches, by whole words.
// A coarse net on purpose: a hit only means that the person is asked first.

const WORDS = {
  minors: 'baby|babies|toddlers?|child|children|kids?|schoolgirls?|schoolboys?|teenagers?',
  medical: 'surgery|wounds?|injur(?:y|ies)|tumou?rs?|amputat\\w{0,5}|autopsy',
  political: 'elections?|politicians?|presidents?|prime ministers?|senators?|propaganda|dictators?',
  real_person: 'celebrit(?:y|ies)|famous (?:person|actor|actress|singer|athlete)s?|lookalikes?',
  sexual: 'nudes?|nudity|naked|topless|erotic|lingerie|sexual|sexy|porn\\w{0,8}',
  violence: 'blood|bloody|gore|corpses?|guns?|rifles?|murder\\w{0,3}|torture|bombs?|massacre|beheading',
};

const PATTERNS = Object.entries(WORDS).map(([topic, words]) => [topic, new RegExp(`\\b(?:${words})\\b`, 'i')]);

/** The topics found, in alphabetical order. */
export function sensitiveTopics(text) {
  return PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([topic]) => topic);
}
