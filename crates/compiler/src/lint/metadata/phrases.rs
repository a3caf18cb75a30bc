//! The phrases that a description of a tool has no use for.
//!
//! English only, and short on purpose: each is a sentence an attacker needs
//! and an author does not. A list like this raises the cost of an attack; it
//! does not end them.

/// The intention of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PhraseIntent {
    Override,
    Shadow,
    Hide,
    Exfiltrate,
}

impl PhraseIntent {
    /// The message about a text with such a phrase.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Override => "tells the model to drop other instructions",
            Self::Shadow => "tells the model how to treat other tools",
            Self::Hide => "asks the model to keep something from the person",
            Self::Exfiltrate => "asks the model to hand over what it should keep",
        }
    }
}

/// Phrases as patterns: `this|that` is either, `the|all*` some of them or none.
pub(super) const PHRASES: &[(PhraseIntent, &str)] = &[
    (
        PhraseIntent::Override,
        "ignore|disregard|forget|override|bypass all|any|every|the|your|my|our|these|those|of* \
         previous|prior|earlier|preceding|above|foregoing|existing|original|system|safety|developer \
         instruction|instructions|rule|rules|prompt|prompts|guideline|guidelines|directive|\
         directives|policy|policies|message|messages|context",
    ),
    (
        PhraseIntent::Override,
        "ignore|disregard|forget|override|bypass your|all|of* your instructions|rules|guidelines|\
         prompt|policies|training",
    ),
    (
        PhraseIntent::Override,
        "ignore|disregard|forget everything above|before|previously|prior|earlier",
    ),
    (PhraseIntent::Override, "from now on you|ignore|always|never|act|respond"),
    (PhraseIntent::Override, "you are now a|an"),
    (
        PhraseIntent::Override,
        "your new|updated|real|actual|true instructions|role|task|goal|purpose",
    ),
    (
        PhraseIntent::Shadow,
        "before using|calling|invoking|running any|all|every|another other* tool|tools|function|\
         functions",
    ),
    (PhraseIntent::Shadow, "before any|all|every|another other* tool|tools|function|functions"),
    (PhraseIntent::Shadow, "instead of any|all|every|the other tool|tools|function|functions"),
    (
        PhraseIntent::Shadow,
        "not|never|don't|dont use|call|invoke|trust any|all|the other tool|tools|function|\
         functions",
    ),
    (PhraseIntent::Shadow, "always use|call|invoke|run this tool|function first|before|instead"),
    (
        PhraseIntent::Shadow,
        "this tool|function overrides|replaces|supersedes all|any|every|the|other",
    ),
    (
        PhraseIntent::Hide,
        "not|never|don't|dont|without tell|telling|inform|informing|notify|notifying|alert|\
         alerting the|a|any|your|this|to* user|users|person|human|customer|anyone|anybody",
    ),
    (
        PhraseIntent::Hide,
        "not|never|don't|dont|without mention|mentioning|reveal|revealing|disclose|disclosing \
         this|that|it|these|them|anything|the|any* to* the|a|any* user|users|person|human|\
         customer|anyone|anybody",
    ),
    (PhraseIntent::Hide, "not|never|don't|dont mention|reveal|disclose this|it"),
    (
        PhraseIntent::Hide,
        "hide|conceal|keep this|that|it|these|them|secret|hidden|the|result|output|call* from \
         the|a|any* user|users|person|human|customer|anyone|anybody",
    ),
    (
        PhraseIntent::Hide,
        "without the|a|any* user|user's|users|person|person's|human|customer|customer's \
         knowledge|knowing|noticing|awareness",
    ),
    (
        PhraseIntent::Hide,
        "silently|secretly|covertly send|forward|call|upload|post|copy|include|append|read|run|\
         execute",
    ),
    (
        PhraseIntent::Exfiltrate,
        "send|forward|upload|post|transmit|leak|exfiltrate|email|copy|include|append|attach|pass|\
         paste|read|reveal|print|output \
         the|all|any|your|their|entire|full|whole|complete|user's|person's|of|previous|current* \
         credentials|passwords|password|secrets",
    ),
    (
        PhraseIntent::Exfiltrate,
        "send|forward|upload|post|transmit|leak|exfiltrate|email|copy|include|append|attach|pass|\
         paste|read|reveal|print|output \
         the|all|any|your|their|entire|full|whole|complete|user's|person's|of|previous|current* \
         api|ssh|private|secret|access key|keys",
    ),
    (
        PhraseIntent::Exfiltrate,
        "send|forward|upload|post|transmit|leak|exfiltrate|email|copy|include|append|attach|pass|\
         paste|read|reveal|print|output \
         the|all|any|your|their|entire|full|whole|complete|user's|person's|of|previous|current* \
         conversation|chat|message history|log|logs|context",
    ),
    (
        PhraseIntent::Exfiltrate,
        "send|forward|upload|post|transmit|leak|exfiltrate|email|copy|include|append|attach|pass|\
         paste|read|reveal|print|output|repeat|show|disclose \
         the|all|any|your|their|entire|full|whole|complete|user's|person's|of|previous|current* \
         system|developer|initial prompt|prompts|message|instructions",
    ),
    (
        PhraseIntent::Exfiltrate,
        "send|forward|upload|post|transmit|leak|exfiltrate|email|copy|include|append|attach|pass|\
         paste|read|reveal|print|output the|all|any|your* environment variables",
    ),
];

/// Marks that set a prompt's own parts apart, in lower case.
pub(super) const MARKS: &[&str] =
    &["<important>", "<system>", "</system>", "<|im_start|>", "<|im_end|>", "[inst]", "<<sys>>"];
