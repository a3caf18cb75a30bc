//! One response at a time: when the next may be asked for, and whether one is
//! still wanted. Pure transitions, tested as a table.
//!
//! The server begins responses as well, when the person falls silent. Such a response knows all
//! that the server had taken by then, so ours may no longer be needed; an item counts as taken when
//! the server has shown it to us.

use aileron_contract::transport::TurnEnd;

/// Which response it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseKind {
    /// We asked for it.
    Reply,
    /// We asked for a sentence.
    Say,
    /// The server began it.
    ServerStarted,
}

/// What is to be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResponseRequest {
    Reply,
    /// A sentence that is part of the conversation.
    Opening(String),
    Say(String),
}

/// One that we asked for and that did not begin yet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RequestedResponse {
    kind: ResponseKind,
    /// The sentence it is to open with.
    opening: Option<String>,
    /// Whether it was cut short before it began.
    interrupted: bool,
}

/// The response that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ActiveResponse {
    /// Empty if the server says that there is one and has not shown it.
    pub(super) id: String,
    pub(super) kind: ResponseKind,
    /// Whether it was reported as cut short.
    pub(super) interrupted: bool,
    /// Whether anything came of it.
    begun: bool,
    /// Whether all that was begun of it is done, so that only its end is awaited.
    pub(super) delivered: bool,
    /// What we asked for, where it is taken as that although the server did not say so.
    presumed: Option<RequestedResponse>,
}

impl ActiveResponse {
    fn new(id: &str, kind: ResponseKind, interrupted: bool) -> Self {
        let id = id.to_owned();
        Self { id, kind, interrupted, begun: false, delivered: false, presumed: None }
    }

    /// How its turn ended, where the server does not say.
    pub(super) fn end(&self) -> TurnEnd {
        if self.interrupted { TurnEnd::Interrupted } else { TurnEnd::Finished }
    }
}

/// What the end of a response is the end of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResponseEnd {
    Active(ActiveResponse),
    /// One that was given up before.
    Late,
}

/// Whether the person speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum PersonSpeech {
    #[default]
    Silent,
    Speaking,
    /// They have finished, and the server is about to reply by itself.
    AwaitsReply,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResponseQueue {
    /// On its way to the server, which may be busy with one of its own meanwhile.
    asked: Option<RequestedResponse>,
    active: Option<ActiveResponse>,
    wanted: bool,
    sentence: Option<String>,
    opening: Option<String>,
    person: PersonSpeech,
    /// Whether the server is in the middle of what the person says, which may have no end.
    hearing: bool,
    /// Items that were sent and not shown to us yet.
    unseen: u32,
    /// Whether a response that the server began knows all we asked about.
    covered: bool,
    /// Whether a reply that failed was asked for again.
    retried: bool,
    last_done: String,
    /// The response that we asked the server to cut short.
    cancelled: Option<String>,
    /// The last response that was taken as over before the server said so.
    given_up: Option<String>,
    /// Whether the server has shown that it names our responses by what we put on them.
    echoes: bool,
}

impl ResponseQueue {
    /// An item was sent.
    pub(super) fn item_sent(&mut self) {
        self.unseen = self.unseen.saturating_add(1);
    }

    /// An item of ours was shown to us, or refused.
    pub(super) fn item_seen(&mut self) {
        self.unseen = self.unseen.saturating_sub(1);
    }

    /// The model is to speak of what it was told. A sentence to fill the wait is stale then.
    pub(super) fn want(&mut self) {
        self.wanted = true;
        self.sentence = None;
    }

    /// A sentence to fill the wait, unless the wait is over.
    pub(super) fn say(&mut self, sentence: &str) {
        if !self.wanted {
            self.sentence = Some(sentence.to_owned());
        }
    }

    /// The model is to say a sentence of its own accord.
    pub(super) fn open(&mut self, sentence: &str) {
        self.opening = Some(sentence.to_owned());
    }

    /// Whether a reply is still to come.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted || self.opening.is_some()
    }

    /// What may be asked for at this moment. It counts as asked.
    pub(super) fn next(&mut self) -> Option<ResponseRequest> {
        let busy = self.asked.is_some() || self.active.is_some();
        if busy || self.person != PersonSpeech::Silent {
            return None;
        }
        let opening = self.opening.take();
        let (ask, kind) = match &opening {
            Some(sentence) => (ResponseRequest::Opening(sentence.clone()), ResponseKind::Reply),
            None if std::mem::take(&mut self.wanted) => {
                (ResponseRequest::Reply, ResponseKind::Reply)
            }
            None => (ResponseRequest::Say(self.sentence.take()?), ResponseKind::Say),
        };
        self.asked = Some(RequestedResponse { kind, opening, interrupted: false });
        self.covered = false;
        Some(ask)
    }

    /// A response began, of the kind that the server names. Says which one of the conversation was
    /// running: there is one at a time, so it has ended without a word.
    pub(super) fn created(&mut self, id: &str, named: ResponseKind) -> Option<ActiveResponse> {
        let kind = self.kind_of(named);
        if kind == ResponseKind::ServerStarted {
            self.own_began();
        }
        let asked = self.asked.take_if(|asked| asked.kind == kind);
        let interrupted = asked.as_ref().is_some_and(|asked| asked.interrupted);
        let other = |active: &mut ActiveResponse| {
            kind != ResponseKind::Say
                && active.kind != ResponseKind::Say
                && ![id, ""].contains(&active.id.as_str())
        };
        let before = self.active.take_if(other).map(|active| self.gives_up(active));
        let mut active = ActiveResponse::new(id, kind, interrupted);
        if kind != named {
            self.covered = self.unseen == 0;
            active.presumed = asked;
        }
        self.active = Some(active);
        before
    }

    /// Which response begins. A server that never names ours is told by the order of events: one
    /// that begins while ours is awaited, and not because the person fell silent, is ours.
    fn kind_of(&mut self, named: ResponseKind) -> ResponseKind {
        self.echoes |= named != ResponseKind::ServerStarted;
        match &self.asked {
            Some(asked) if !self.echoes && self.person != PersonSpeech::AwaitsReply => asked.kind,
            _ => named,
        }
    }

    /// Something comes of a response. If its beginning was not seen, it begins here.
    pub(super) fn came_of(&mut self, id: &str) {
        let is_over = self.last_done == id || self.given_up.as_deref() == Some(id);
        if self.active.is_none() && !id.is_empty() && !is_over {
            self.created(id, ResponseKind::ServerStarted);
        }
    }

    fn own_began(&mut self) {
        self.person = PersonSpeech::Silent;
        self.sentence = None;
        if self.unseen == 0 {
            self.wanted = false;
            self.covered = true;
        }
    }

    /// The server has refused to begin ours because one is running, which then is not ours.
    pub(super) fn refused(&mut self) {
        let presumed = self.active.as_mut().and_then(|active| {
            let presumed = active.presumed.take()?;
            active.kind = ResponseKind::ServerStarted;
            Some(presumed)
        });
        match self.asked.take().or(presumed) {
            Some(RequestedResponse { opening: Some(sentence), .. }) => {
                self.opening = Some(sentence);
            }
            Some(asked) if asked.kind == ResponseKind::Reply => self.wanted |= !self.covered,
            Some(_) | None => {}
        }
        self.active
            .get_or_insert_with(|| ActiveResponse::new("", ResponseKind::ServerStarted, false));
    }

    /// The server has refused to begin ours for a reason that will not pass.
    pub(super) fn given_up(&mut self) {
        self.asked = None;
    }

    /// An item of the running response began, or more of it came.
    pub(super) fn goes_on(&mut self) {
        if let Some(active) = &mut self.active {
            (active.begun, active.delivered) = (true, false);
        }
    }

    /// An item of the running response is done. Says whether nothing else of it was open before.
    pub(super) fn delivered(&mut self) -> bool {
        let Some(active) = &mut self.active else { return false };
        active.begun = true;
        !std::mem::replace(&mut active.delivered, true)
    }

    /// The running response is asked to be cut short.
    pub(super) fn cancelling(&mut self) {
        self.cancelled = self.active.as_ref().map(|active| active.id.clone());
    }

    /// The server had nothing to cut short: the response was over and we were not told.
    pub(super) fn cancel_refused(&mut self) -> Option<ActiveResponse> {
        let id = self.cancelled.take()?;
        let active = self.active.take_if(|active| active.id == id)?;
        Some(self.gives_up(active))
    }

    /// Whether nothing came of the running response, and a reply waits behind it.
    pub(super) fn is_stalled(&self) -> bool {
        self.is_wanted() && self.active.as_ref().is_some_and(|active| !active.begun)
    }

    /// The running response, if it was delivered and only its end does not come, or if it holds up a
    /// reply and nothing comes of it.
    pub(super) fn end_overdue(&mut self) -> Option<ActiveResponse> {
        let stalled = self.is_stalled();
        let active = self.active.take_if(|active| stalled || active.delivered)?;
        Some(self.gives_up(active))
    }

    /// The running response, or one that was asked for, of which nothing comes.
    pub(super) fn reply_overdue(&mut self) -> Option<ActiveResponse> {
        let asked = self.asked.take();
        let asked = asked.map(|asked| ActiveResponse::new("", asked.kind, asked.interrupted));
        let active = self.active.take().or(asked)?;
        Some(self.gives_up(active))
    }

    fn gives_up(&mut self, active: ActiveResponse) -> ActiveResponse {
        self.given_up = Some(active.id.clone()).filter(|id| !id.is_empty());
        active
    }

    /// A response is done; the one it was, or nothing if that is known already. One whose beginning
    /// was not seen counts as well, so that no call of it is lost.
    pub(super) fn done(&mut self, id: &str, named: ResponseKind) -> Option<ResponseEnd> {
        if !id.is_empty() && self.last_done == id {
            return None;
        }
        id.clone_into(&mut self.last_done);
        if self.given_up.take_if(|given_up| given_up == id).is_some() {
            return Some(ResponseEnd::Late);
        }
        let running = self.active.take_if(|active| active.id == id || active.id.is_empty());
        if let Some(running) = running.filter(|running| !running.id.is_empty()) {
            return Some(ResponseEnd::Active(running));
        }
        let kind = self.kind_of(named);
        let asked = self.asked.take_if(|asked| asked.kind == kind);
        let interrupted = asked.is_some_and(|asked| asked.interrupted);
        Some(ResponseEnd::Active(ActiveResponse::new(id, kind, interrupted)))
    }

    /// Whether a failed reply is worth another try. One is.
    pub(super) fn retry(&mut self) -> bool {
        let first = !std::mem::replace(&mut self.retried, true);
        self.wanted |= first;
        first
    }

    /// A reply came out well.
    pub(super) fn succeeded(&mut self) {
        self.retried = false;
    }

    /// The running response, if there is one.
    pub(super) fn active(&self) -> Option<&ActiveResponse> {
        self.active.as_ref()
    }

    /// Whether something runs or was asked for that was not cut short yet.
    pub(super) fn can_be_cut_short(&self) -> bool {
        self.active.as_ref().is_some_and(|active| !active.interrupted)
            || self.asked.as_ref().is_some_and(|asked| !asked.interrupted)
    }

    /// Marks what runs or was asked for as cut short; whether something was not before.
    pub(super) fn interrupt(&mut self) -> bool {
        let cut = self.can_be_cut_short();
        if let Some(active) = &mut self.active {
            active.interrupted = true;
        }
        if let Some(asked) = &mut self.asked {
            asked.interrupted = true;
        }
        cut
    }

    /// Nothing more is to be said.
    pub(super) fn hush(&mut self) {
        self.wanted = false;
        (self.sentence, self.opening) = (None, None);
    }

    pub(super) fn speech_started(&mut self) {
        (self.person, self.hearing) = (PersonSpeech::Speaking, true);
        (self.sentence, self.opening) = (None, None);
    }

    /// The person fell silent, and the server replies by itself.
    pub(super) fn speech_stopped(&mut self) {
        (self.person, self.hearing) = (PersonSpeech::AwaitsReply, false);
    }

    /// The person fell silent, and we have to ask for the reply.
    pub(super) fn speech_ended(&mut self) {
        (self.person, self.hearing) = (PersonSpeech::Silent, false);
    }

    /// The person writes instead. What they began to say may never end, so it is not waited for.
    pub(super) fn wrote(&mut self) {
        if self.person_speaks() {
            self.person = PersonSpeech::Silent;
        }
    }

    /// What the person said is in words. The server would have replied by this time.
    pub(super) fn heard(&mut self) {
        if self.person == PersonSpeech::AwaitsReply {
            self.person = PersonSpeech::Silent;
        }
    }

    pub(super) fn person_speaks(&self) -> bool {
        self.person == PersonSpeech::Speaking
    }

    pub(super) fn is_hearing(&self) -> bool {
        self.hearing
    }
}

#[cfg(test)]
#[path = "response_queue_tests.rs"]
mod tests;
