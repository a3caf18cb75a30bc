//! Runs one response at a time: decides when the next one may be requested, and whether it is still needed.
//! Pure transitions, tested as a table.
//!
//! The server begins responses too, when the person stops speaking. Such a response includes all items that the
//! server had accepted by then, so ours may no longer be needed; an item counts as accepted when the server has
//! reported it.

use aileron_contract::transport::TurnEnd;

/// The kind of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseKind {
    /// A reply that we requested.
    Reply,
    /// A sentence that we requested.
    Say,
    /// A response that the server began.
    ServerStarted,
}

/// A request for a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResponseRequest {
    Reply,
    /// A sentence that is part of the conversation.
    Opening(String),
    Say(String),
}

/// A requested response that has not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RequestedResponse {
    kind: ResponseKind,
    /// The sentence it is to begin with.
    opening: Option<String>,
    /// Whether it was interrupted before it began.
    interrupted: bool,
}

/// The response that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ActiveResponse {
    /// Empty if the server reports that there is one and has not named it.
    pub(super) id: String,
    pub(super) kind: ResponseKind,
    /// Whether it was reported as interrupted.
    pub(super) interrupted: bool,
    /// Whether it has produced any output.
    begun: bool,
    /// Whether all of its items are done, so that only its end is missing.
    pub(super) delivered: bool,
    /// Our request, if the response is presumed to belong to it although the server did not say so.
    presumed: Option<RequestedResponse>,
}

impl ActiveResponse {
    fn new(id: &str, kind: ResponseKind, interrupted: bool) -> Self {
        let id = id.to_owned();
        Self { id, kind, interrupted, begun: false, delivered: false, presumed: None }
    }

    /// How its turn ended, where the server does not report it.
    pub(super) fn end(&self) -> TurnEnd {
        if self.interrupted { TurnEnd::Interrupted } else { TurnEnd::Finished }
    }
}

/// The response that an end belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResponseEnd {
    Active(ActiveResponse),
    /// A response that was given up before.
    Late,
}

/// Whether the person speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum PersonSpeech {
    #[default]
    Silent,
    Speaking,
    /// They have stopped, and the server is about to reply.
    AwaitsReply,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResponseQueue {
    /// A request that was sent; the server may be busy with a response it began meanwhile.
    asked: Option<RequestedResponse>,
    active: Option<ActiveResponse>,
    wanted: bool,
    sentence: Option<String>,
    opening: Option<String>,
    person: PersonSpeech,
    /// Whether the server is in the middle of an utterance of the person, which may never end.
    hearing: bool,
    /// Items that were sent and not yet reported by the server.
    unseen: u32,
    /// Whether a response that the server began includes all inputs of our request.
    covered: bool,
    /// Whether a failed reply was requested again.
    retried: bool,
    last_done: String,
    /// The response that we asked the server to cancel.
    cancelled: Option<String>,
    /// The last response that was taken as over before the server reported its end.
    given_up: Option<String>,
    /// Whether the server has shown that it echoes our metadata on responses.
    echoes: bool,
}

impl ResponseQueue {
    /// An item was sent.
    pub(super) fn item_sent(&mut self) {
        self.unseen = self.unseen.saturating_add(1);
    }

    /// An item of ours was reported by the server, or refused.
    pub(super) fn item_seen(&mut self) {
        self.unseen = self.unseen.saturating_sub(1);
    }

    /// A reply is needed. A filler is not needed then.
    pub(super) fn request_reply(&mut self) {
        self.wanted = true;
        self.sentence = None;
    }

    /// A filler, unless a reply is due.
    pub(super) fn say(&mut self, sentence: &str) {
        if !self.wanted {
            self.sentence = Some(sentence.to_owned());
        }
    }

    /// The model is to say a sentence as part of the conversation.
    pub(super) fn open(&mut self, sentence: &str) {
        self.opening = Some(sentence.to_owned());
    }

    /// Whether a reply is still to come.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted || self.opening.is_some()
    }

    /// The response to request now. It counts as requested.
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

    /// A response began, of the kind that the server names. Returns the response of the conversation that was
    /// running: there is one at a time, so it has ended without a report.
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

    /// The kind of a response that begins. For a server that does not echo our metadata, the order of
    /// events decides: a response that begins while ours is expected, and not because the person stopped
    /// speaking, is ours.
    fn kind_of(&mut self, named: ResponseKind) -> ResponseKind {
        self.echoes |= named != ResponseKind::ServerStarted;
        match &self.asked {
            Some(asked) if !self.echoes && self.person != PersonSpeech::AwaitsReply => asked.kind,
            _ => named,
        }
    }

    /// A response has output. If its beginning was not reported, it begins here.
    pub(super) fn on_output(&mut self, id: &str) {
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

    /// The server refused our request because another response is running.
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

    /// The server refused our request for a permanent reason.
    pub(super) fn given_up(&mut self) {
        self.asked = None;
    }

    /// An item of the running response began, or has more output.
    pub(super) fn goes_on(&mut self) {
        if let Some(active) = &mut self.active {
            (active.begun, active.delivered) = (true, false);
        }
    }

    /// An item of the running response is done. Returns whether no other item of it is open.
    pub(super) fn delivered(&mut self) -> bool {
        let Some(active) = &mut self.active else { return false };
        active.begun = true;
        !std::mem::replace(&mut active.delivered, true)
    }

    /// The running response is being cancelled.
    pub(super) fn cancelling(&mut self) {
        self.cancelled = self.active.as_ref().map(|active| active.id.clone());
    }

    /// The server had nothing to cancel: the response was over without a report.
    pub(super) fn cancel_refused(&mut self) -> Option<ActiveResponse> {
        let id = self.cancelled.take()?;
        let active = self.active.take_if(|active| active.id == id)?;
        Some(self.gives_up(active))
    }

    /// Whether the running response has no output, and a reply waits behind it.
    pub(super) fn is_stalled(&self) -> bool {
        self.is_wanted() && self.active.as_ref().is_some_and(|active| !active.begun)
    }

    /// The running response, if it was delivered and only its end is missing, or if it delays a reply and
    /// has no output.
    pub(super) fn end_overdue(&mut self) -> Option<ActiveResponse> {
        let stalled = self.is_stalled();
        let active = self.active.take_if(|active| stalled || active.delivered)?;
        Some(self.gives_up(active))
    }

    /// The running or requested response that has no output.
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

    /// A response is done. Returns which one, or nothing if its end is known already. A response whose
    /// beginning was not reported counts too, so that no call of it is lost.
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

    /// Whether a failed reply is requested again; once.
    pub(super) fn retry(&mut self) -> bool {
        let first = !std::mem::replace(&mut self.retried, true);
        self.wanted |= first;
        first
    }

    /// A reply succeeded.
    pub(super) fn succeeded(&mut self) {
        self.retried = false;
    }

    /// The running response, if there is one.
    pub(super) fn active(&self) -> Option<&ActiveResponse> {
        self.active.as_ref()
    }

    /// Whether a running or requested response is not yet interrupted.
    pub(super) fn can_be_cut_short(&self) -> bool {
        self.active.as_ref().is_some_and(|active| !active.interrupted)
            || self.asked.as_ref().is_some_and(|asked| !asked.interrupted)
    }

    /// Marks the running and the requested response as interrupted. Returns whether one was not before.
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

    /// Drops all requests.
    pub(super) fn drop_requests(&mut self) {
        self.wanted = false;
        (self.sentence, self.opening) = (None, None);
    }

    pub(super) fn speech_started(&mut self) {
        (self.person, self.hearing) = (PersonSpeech::Speaking, true);
        (self.sentence, self.opening) = (None, None);
    }

    /// The person stopped speaking, and the server replies by itself.
    pub(super) fn speech_stopped(&mut self) {
        (self.person, self.hearing) = (PersonSpeech::AwaitsReply, false);
    }

    /// The person stopped speaking, and we have to request the reply.
    pub(super) fn speech_ended(&mut self) {
        (self.person, self.hearing) = (PersonSpeech::Silent, false);
    }

    /// The person sends a text instead. Their utterance may never end, so it is not waited for.
    pub(super) fn on_text(&mut self) {
        if self.person_speaks() {
            self.person = PersonSpeech::Silent;
        }
    }

    /// The transcript of the person's speech came. The server would have replied by this time.
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
