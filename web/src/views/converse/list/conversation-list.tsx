// The list of conversations beside the thread; a drawer on narrow screens.
import { useEffect } from 'preact/hooks';
import type { Conversation } from '@aileron/client';
import { go, paths, query, route, setQuery } from '../../../app/router';
import { mayAct, me, seesAll } from '../../../app/session';
import { Button } from '../../../ui/button';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { ErrorState, Loading } from '../../../ui/states';
import { visible } from '../../../ui/visible';
import { conversations, followList, listState, loadConversations, loadMoreConversations } from '../state/list';
import { groupByDay } from './days';

export interface ConversationListProps {
  onClose: () => void;
}

export function ConversationList({ onClose }: ConversationListProps) {
  // A viewer has no conversations of their own.
  const all = seesAll.value && (query.value.get('all') === '1' || !mayAct.value);
  useEffect(() => {
    void loadConversations(all);
  }, [all]);
  useEffect(followList, []);
  const state = listState.value;
  const found = conversations.value;
  const keep = all && mayAct.value ? '?all=1' : '';

  return (
    <div class="list">
      <div class="list-head">
        {mayAct.value ? (
          <Button
            icon="plus"
            class="grow"
            onClick={() => {
              go(paths.converse + keep);
              onClose();
            }}
          >
            New conversation
          </Button>
        ) : (
          <h2 class="label grow">Conversations of everybody</h2>
        )}
        <Button kind="quiet" icon="close" label="Close the list" class="list-close" onClick={onClose} />
      </div>
      {seesAll.value && mayAct.value && me.value?.signIn !== 'none' ? (
        <label class="list-all">
          <input type="checkbox" checked={all} onChange={(event) => setQuery({ all: event.currentTarget.checked ? '1' : undefined })} />{' '}
          Those of everybody
        </label>
      ) : null}
      <nav
        class="list-scroll"
        aria-label="Conversations"
        onClick={(event) => event.target instanceof Element && event.target.closest('a') && onClose()}
      >
        {groupByDay(found, Date.now()).map((group) => (
          <section key={group.title}>
            <h2 class="label list-day">{group.title}</h2>
            <ul>
              {group.conversations.map((conversation) => (
                <Entry key={conversation.id} conversation={conversation} keep={keep} all={all} />
              ))}
            </ul>
          </section>
        ))}
        {state.is === 'loading' && found.length === 0 ? <Loading what="conversations" lines={5} /> : null}
        {state.is === 'failed' ? (
          <ErrorState title="The list could not be loaded" error={state.error} onRetry={() => void loadConversations(all)} />
        ) : null}
        {state.is === 'ready' && found.length === 0 ? (
          <p class="list-none">No conversations yet. {mayAct.value ? 'The first message begins one.' : ''}</p>
        ) : null}
        {state.is === 'ready' && state.next !== undefined ? (
          <Button kind="quiet" size="small" class="list-more" onClick={() => void loadMoreConversations()}>
            Show older ones
          </Button>
        ) : null}
      </nav>
    </div>
  );
}

function Entry({ conversation, keep, all }: { conversation: Conversation; keep: string; all: boolean }) {
  const here = route.value.view === 'converse' && route.value.conversation === conversation.id;
  const title = visible(conversation.title?.trim() || 'Nothing said yet');
  const ended = conversation.state.is === 'ended';
  return (
    <li>
      <a
        class={here ? 'list-entry list-here' : 'list-entry'}
        href={paths.conversation(conversation.id) + keep}
        aria-current={here ? 'page' : undefined}
        title={`${title} (${conversation.id})`}
      >
        {conversation.mode === 'voice' ? <Icon name="wave" size={15} label="voice" /> : null}
        <span class="cut grow" dir="auto">
          {title}
        </span>
        {ended ? <span class="tiny faint">ended</span> : null}
        {!ended && conversation.updatedAt !== undefined ? (
          <span class="tiny faint num" title={format.exact(conversation.updatedAt)}>
            {format.instant(conversation.updatedAt, 'time')}
          </span>
        ) : null}
        {conversation.user && all ? <span class="list-user tiny cut">{conversation.user}</span> : null}
      </a>
    </li>
  );
}
