// Converse: the list of conversations, the thread with its composer, and beside it the Inspector or a cited record.
import './styles/layout.css';
import './styles/thread.css';
import './styles/calls.css';
import './styles/dock.css';
import './styles/panel.css';
import { useEffect, useState } from 'preact/hooks';
import { type Action, useActions } from '../../app/actions';
import { lazy } from '../../app/lazy';
import { useEscape } from '../../ui/use-escape';
import { go, paths, query, route } from '../../app/router';
import { mayAct, server } from '../../app/session';
import { Button } from '../../ui/button';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { visible } from '../../ui/visible';
import { Composer } from './composer/composer';
import { Dock } from './composer/dock';
import { ConversationList } from './list/conversation-list';
import { RecordPanel } from './panel/record-panel';
import type { OpenConversation } from './state/conversation';
import { conversations } from './state/list';
import { followEvents, openConversation } from './state/open';
import { loadToolIndex } from './state/tool-index';
import { Examples } from './thread/examples';
import { QuestionCard } from './thread/question-card';
import { Thread } from './thread/thread';
import { talk } from './voice/talk';
import { VoiceBar } from './voice/voice-bar';
import { VoiceOffer } from './voice/voice-offer';

const Inspector = lazy(() => import('../inspector/inspector'));

export default function Converse() {
  const at = route.value;
  const id = at.view === 'converse' ? at.conversation : undefined;
  const turn = at.view === 'converse' ? at.turn : undefined;
  const conversation = openConversation(id);
  const record = query.value.get('record') ?? undefined;
  const [drawer, setDrawer] = useState(false);

  useEffect(followEvents, []);
  useEscape(drawer, () => setDrawer(false));
  useEffect(loadToolIndex, []);
  useEffect(() => {
    if (id !== undefined && conversation.phase.peek().is === 'new') void conversation.load();
  }, [conversation]);
  const offered = offers(conversation);
  useActions(offered, [conversation, offered.map(({ id }) => id).join()]);

  const title = titleOf(id);
  const aside = turn !== undefined || record !== undefined;
  return (
    <div class={`converse${aside ? ' converse-aside' : ''}${drawer ? ' converse-drawer' : ''}`}>
      <div class="converse-list" id="conversations">
        <ConversationList onClose={() => setDrawer(false)} />
      </div>
      {drawer ? <div class="scrim" onClick={() => setDrawer(false)} /> : null}
      <section class="converse-main" aria-label="Conversation">
        <h1 class="hidden-text">{title}</h1>
        <div class="converse-menu">
          <Button
            kind="quiet"
            size="small"
            icon="menu"
            label="Conversations"
            expanded={drawer}
            controls="conversations"
            onClick={() => setDrawer(!drawer)}
          />
          <span class="cut" aria-hidden="true">
            {title}
          </span>
        </div>
        <Conversing key={conversation.id} conversation={conversation} />
      </section>
      {record !== undefined ? (
        <RecordPanel conversation={conversation} id={record} />
      ) : turn !== undefined ? (
        <Inspector conversationId={conversation.id} turn={turn} lastTurn={Math.max(0, ...conversation.turns.value.values())} />
      ) : null}
    </div>
  );
}

/** The title of a conversation, as the list has it. */
function titleOf(id: string | undefined): string {
  if (id === undefined) return 'New conversation';
  const listed = conversations.value.find((each) => each.id === id);
  return visible(listed?.title?.trim() || 'Conversation');
}

/** The actions that the palette offers at this moment. */
function offers(conversation: OpenConversation): Action[] {
  if (!mayAct.value || !conversation.mine || conversation.info.value?.state.is === 'ended') return [];
  if (conversation.busy) return [{ id: 'stop', title: 'Stop the answer', icon: 'stop', note: 'Escape', run: () => conversation.stop() }];
  const talking: Action[] = canTalk() ? [{ id: 'talk', title: 'Talk', icon: 'mic', run: () => void talk(conversation) }] : [];
  const again: Action = { id: 'again', title: 'Answer again', icon: 'retry', run: () => void conversation.regenerate() };
  return conversation.messages.value.length > 0 ? [...talking, again] : talking;
}

function Conversing({ conversation }: { conversation: OpenConversation }) {
  const phase = conversation.phase.value;
  if (phase.is === 'missing') return <MissingConversation id={conversation.id} />;
  if (phase.is === 'failed') {
    return <ErrorState title="The conversation could not be loaded" error={phase.error} onRetry={() => void conversation.reload()} />;
  }

  function send(text: string) {
    const begins = route.peek().view === 'converse' && conversation.phase.peek().is === 'new';
    void conversation.send(text);
    if (begins) go(paths.conversation(conversation.id), { replace: true });
  }

  const voice = conversation.voice.value;
  const live = voice !== undefined && voice.snapshot.value.state.is !== 'ended';
  const empty = conversation.messages.value.length === 0 && !conversation.busy;
  const asked = [...conversation.questions.byId.value.values()].filter((question) => question.state === 'open');
  return (
    <>
      {phase.is === 'loading' ? (
        <div class="thread-frame">
          <Loading what="the conversation" lines={6} />
        </div>
      ) : empty && !live && asked.length > 0 ? (
        <div class="thread-frame">
          <div class="thread-asked">
            <p class="small muted">An agent asks through the API; nothing was written here yet.</p>
            {asked.map((question) => (
              <QuestionCard key={question.id} conversation={conversation} id={question.id} />
            ))}
          </div>
        </div>
      ) : empty && !live ? (
        <div class="thread-frame">
          {mayAct.value ? <Examples onChoose={send} /> : <EmptyState icon="list" title="Choose a conversation to look at" />}
        </div>
      ) : (
        <Thread key={conversation.id} conversation={conversation}>
          {empty ? <EmptyState icon="wave" title="Say something, or write below" /> : null}
        </Thread>
      )}
      <Dock conversation={conversation}>
        {conversation.note.value ? (
          <p class="dock-note small" role="status">
            {conversation.note.value}
          </p>
        ) : null}
        {voice ? (
          <VoiceBar session={voice} onRestart={() => void talk(conversation)} />
        ) : conversation.info.value?.voice === 'requested' && !conversation.voiceOfferClosed.value ? (
          <VoiceOffer conversation={conversation} />
        ) : conversation.info.value?.voice === 'active' ? (
          <p class="dock-note small muted">
            This conversation is held by voice in another tab or on another device. Writing here turns it into text.
          </p>
        ) : null}
        <Composer conversation={conversation} onSend={send} placeholder={live ? 'Speak, or write a message' : 'Write a message'}>
          {canTalk() && !live ? <Button icon="mic" class="composer-round" label="Talk" onClick={() => void talk(conversation)} /> : null}
        </Composer>
      </Dock>
    </>
  );
}

/** The server has a voice provider, if only the built-in one. */
function canTalk(): boolean {
  return (server.value?.voice.providers.length ?? 0) > 0;
}

function MissingConversation({ id }: { id: string }) {
  return (
    <EmptyState icon="search" title="There is no such conversation">
      <p>
        <code>{id}</code> does not exist, is no longer kept, or belongs to somebody else.
      </p>
      <p class="state-actions">
        <Button icon="plus" onClick={() => go(paths.converse)}>
          New conversation
        </Button>
      </p>
    </EmptyState>
  );
}
