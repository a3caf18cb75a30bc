// The words that sensitive-topics.js looks for. Data alone: English words and names, each a regular
// expression for whole words in lower case. A hit only means that the person is asked first.

const UNDER_18 =
  '(?:1[0-7]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven)teen)';
const PEOPLE =
  '(?:people|person|m[ae]n|wom[ae]n|child(?:ren)?|kids?|boys?|girls?|crowds?|civilians?|soldiers?|students?|protest[eo]rs?|police\\w*|someone|somebody|each other|him|her|them)';
const ARTICLES = '(?:(?:at|a|an|the|his|her|their|some|many|several|innocent|unarmed) ){0,3}';

export const WORDS = {
  minors: [
    'bab(?:y|ies)', 'infants?', 'newborns?', 'toddlers?', 'child', 'children', 'kids?', 'schoolkids?', 'schoolgirls?', 'schoolboys?',
    'preteens?', 'tweens?', 'teens?', 'teenage\\w{0,2}', 'adolescents?', 'minors', 'under ?age\\w?', 'lolitas?', 'lolis?', 'shotas?',
    '(?:little|young|small|prepubescent|teen) (?:girl|boy|daughter|son)s?',
    `(?:girl|boy|daughter|son|pupil|student|someone)s? (?:of|aged?|who is|about) ${UNDER_18}`,
    `(?:girl|boy)s?,? ${UNDER_18}`, `aged? (?:of )?${UNDER_18}`, `${UNDER_18}[- ]years?[- ]olds?`, `${UNDER_18} ?y/?o`,
    'under (?:18|eighteen)', '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)[- ]graders?',
  ],
  medical: [
    'surger(?:y|ies)', 'surgical', 'wounds?', 'wounded', 'injur(?:y|ies|ed)', 'tumou?rs?', 'amput\\w{0,6}', 'autops(?:y|ies)', 'abortions?',
    'miscarriages?', 'disfigur\\w{0,5}', 'burn victims?', 'overdos\\w{0,4}', 'chemotherapy', 'dissect\\w{0,4}', 'open[- ]heart',
  ],
  political: [
    'elections?', 'ballots?', 'politicians?', 'presidents?', 'vice[- ]presidents?', 'prime ministers?', 'chancellors?', 'senators?',
    'congress(?:wo)?m[ae]n', 'republicans?', 'propaganda', 'dictators?', 'campaign (?:rall(?:y|ies)|posters?)', 'protest[eo]rs?', 'riots?',
    'nazis?', 'swastikas?', 'ku klux klan', 'kkk',
  ],
  real_person: [
    'celebrit(?:y|ies)', 'public figures?', 'real (?:person|people)', 'deep ?fakes?', 'look-?alikes?', 'in the likeness of', 'impersonat\\w{1,5}',
    '(?:famous|well[- ]known) (?:person|people|actor|actress|singer|musician|rapper|athlete|footballer|model|scientist|writer|king|queen)e?s?',
  ],
  sexual: [
    'nudes?', 'nudity', 'naked\\w{0,4}', 'topless', 'bottomless', 'undress\\w{0,3}', 'unclothed', 'unclad', 'strip(?:per|pers|tease|ping)',
    '(?:without|no|wearing no|not wearing) (?:any )?(?:clothes|clothing)', 'wearing nothing', 'nothing on', 'bare[- ](?:breast|chest|butt|bottom)\\w{0,3}',
    'breasts?', 'boobs?', 'tits', 'nipples?', 'cleavage', 'genital\\w{0,3}', 'penis(?:es)?', 'vaginas?', 'erotic\\w{0,3}', 'lingerie', 'sex',
    'sexual\\w{0,4}', 'sexuali[sz]ed', 'sexy', 'sensual\\w{0,2}', 'seductive\\w{0,2}', 'provocative\\w{0,2}', 'porn\\w{0,8}', 'nsfw', 'xxx', 'hentai',
    'fetish\\w{0,4}', 'bdsm', 'orgy', 'orgies', 'orgasm\\w{0,3}', 'masturbat\\w{0,5}', 'prostitut\\w{0,4}', 'rap(?:e|es|ed|ing|ists?)',
  ],
  violence: [
    'blood', 'bloody', 'bloodied', 'bloodbath', 'gore', 'gory', 'corpses?', 'cadavers?', `(?:dead|mangled|severed|lifeless) (?:bod(?:y|ies)|heads?|limbs?)`,
    `dead (?:people|person|m[ae]n|wom[ae]n|child|children|soldiers?|civilians?)`, 'guns?', 'gun(?:shots?|fire|m[ae]n|point)', 'handguns?', 'shotguns?',
    'pistols?', 'revolvers?', 'rifles?', 'machine ?guns?', 'kalashnikovs?', 'ak[- ]?47s?', 'ar[- ]?15s?', 'uzis?', 'weapons?', 'grenades?', 'explosives',
    'bombs?', 'bomb(?:ed|ings?|ers?)', `sho(?:o?t|ots|oting) ${ARTICLES}${PEOPLE}`, '(?:mass|school) shoot\\w{2,4}', 'shot dead', 'kill(?:s|ed|ing|ings)?',
    'murder\\w{0,4}', 'assassinat\\w{1,4}', 'slaughter\\w{0,3}', 'massacres?', 'genocides?', 'stab(?:s|bed|bings?)?', 'strangl\\w{1,5}', 'tortur\\w{1,4}',
    'mutilat\\w{1,4}', 'dismember\\w{0,4}', 'behead\\w{0,4}', 'decapitat\\w{1,4}', 'lynch\\w{0,4}', 'hanged', 'gallows', 'firing squads?',
    'public executions?', 'suicid\\w{1,3}', 'self[- ]harm\\w{0,3}', 'terroris\\w{1,2}', 'hostages?', 'war crimes?', 'domestic violence', 'beaten up',
  ],
};

// Names that nearly always mean the public figure. A list, so most of the famous are not on it.
export const NAMES = [
  'trump', 'biden', 'obama', 'kamala harris', 'hillary clinton', 'bill clinton', 'george w?\\.? ?bush', 'jd vance', 'bernie sanders',
  'putin', 'zelensk\\w{1,2}', 'xi jinping', 'kim jong[- ]\\w+', 'netanyahu', 'erdogan', 'khamenei', 'narendra modi', 'macron', 'merkel', 'olaf scholz',
  'friedrich merz', 'starmer', 'boris johnson', 'thatcher', 'meloni', 'berlusconi', 'orban', 'milei', 'bolsonaro', 'lula da silva', 'trudeau',
  'hitler', 'stalin', 'mussolini', 'mao zedong', 'saddam hussein', 'bin laden', 'pope (?:francis|leo|benedict|john paul)\\w*', 'dalai lama',
  'king charles', 'queen elizabeth', 'princess diana', 'prince (?:harry|william)', 'kate middleton', 'meghan markle', 'greta thunberg',
  'elon musk', 'bezos', 'zuckerberg', 'bill gates', 'steve jobs', 'sam altman', 'oprah\\w*', 'joe rogan', 'andrew tate',
  'taylor swift', 'beyonce', 'rihanna', 'kanye\\w*', 'kardashians?', 'lady gaga', 'bieber', 'ariana grande', 'billie eilish', 'selena gomez', 'ed sheeran',
  'eminem', 'michael jackson', 'elvis presley', 'freddie mercury', 'bad bunny', 'harry styles', 'dua lipa', 'britney spears', 'jennifer lopez',
  'tom cruise', 'brad pitt', 'angelina jolie', 'dicaprio', 'scarlett johansson', 'emma watson', 'tom hanks', 'keanu reeves', 'johnny depp', 'will smith',
  'jennifer lawrence', 'margot robbie', 'zendaya', 'ryan reynolds', 'morgan freeman', 'marilyn monroe', 'arnold schwarzenegger', 'dwayne johnson',
  'ronaldo', 'messi', 'neymar', 'mbappe', 'beckham', 'lebron', 'michael jordan', 'serena williams', 'federer', 'nadal', 'djokovic', 'usain bolt', 'tiger woods',
];

// Phrases with a word from above that mean something else; they are passed over.
export const HARMLESS = [
  'blood (?:oranges?|moons?|pressure|sugar|types?|tests?|banks?|donations?|donors?)', 'naked (?:mole[- ]rats?|eyes?)',
  'nude (?:lipsticks?|heels?|palettes?|colou?rs?|tones?|shades?)', '(?:water|glue|nail|heat|spray|toy|squirt|staple|bubble|label|tattoo) guns?',
  '(?:bath|seed|cherry|glitter|stink) bombs?', 'murder mystery', 'trump cards?', 'same[- ]sex', '(?:chicken|turkey|duck)[- ]breasts?', 'breast ?feeding',
  'breast cancer (?:awareness )?(?:ribbons?|charity|runs?)', 'rape ?seeds?(?: fields?)?', 'time to kill', 'buzz ?kill', 'student election',
  'bab(?:y|ies) (?:blue|pink|grand|carrots?|corn|spinach|animals?|elephants?|giraffes?|turtles?|foxes|fox|seals?|pandas?|birds?|dragons?|dinosaurs?|owls?|goats?|sheep|rabbits?|bunn(?:y|ies)|bears?|lions?|tigers?|monkeys?|penguins?|otters?|hedgehogs?|deer|whales?|yoda)',
  'kids? menu', 'inner child', '(?:weapons?|guns?)[- ](?:ban|control|free)\\w*',
];

// A picture can be sensitive because of the things that are left out of it.
export const LEFT_OUT = { sexual: ['cloth(?:es|ing|ed)', 'dress(?:es|ed)?', 'underwear', 'bras?', 'panties', 'bikinis?', 'censor\\w{0,5}', 'sfw'] };
