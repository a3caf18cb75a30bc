// The frame of every view: header with navigation, notices, and the chosen view.
import { useEffect } from 'preact/hooks';
import { Announcer } from '../ui/announce';
import { Button } from '../ui/button';
import { EmptyState, ErrorState, Loading } from '../ui/states';
import { Icon, type IconName } from '../ui/icon';
import { Notice } from '../ui/notice';
import { Boundary } from './boundary';
import { lazy } from './lazy';
import { connection, openConfirmations, reconnect } from './live';
import { Palette } from './palette';
import { paths, route, type ViewName } from './router';
import { outdated, session, startSession } from './session';
import { SignIn } from './sign-in';
import { Status } from './status';
import Converse from '../views/converse/converse';

const Approvals = lazy(() => import('../views/approvals/approvals'));
const Tools = lazy(() => import('../views/tools/tools'));
const Operate = lazy(() => import('../views/operate/operate'));

const VIEWS: { view: ViewName; title: string; path: string; icon: IconName }[] = [
  { view: 'converse', title: 'Converse', path: paths.converse, icon: 'wave' },
  { view: 'approvals', title: 'Approvals', path: paths.approvals, icon: 'check' },
  { view: 'tools', title: 'Tools', path: paths.tools, icon: 'tool' },
  { view: 'operate', title: 'Operate', path: paths.operate, icon: 'sliders' },
];

export function Shell() {
  const state = session.value;
  useTitle();
  if (state.is === 'signIn') return <SignIn refused={state.refused} />;
  if (state.is === 'failed') {
    return (
      <main class="entrance">
        <ErrorState title="Aileron cannot be reached" error={state.error} onRetry={() => void startSession()} />
      </main>
    );
  }
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="header">
        <a class="brand" href="/" aria-label="Aileron, new conversation">
          <Icon name="brand" size={20} /> <span>Aileron</span>
        </a>
        <Navigation />
        <Status />
      </header>
      <div class="notices">
        <ConnectionNotice />
        {outdated.value ? (
          <Notice
            tone="info"
            icon="refresh"
            actions={
              <Button size="small" onClick={() => globalThis.location.reload()}>
                Load the new page
              </Button>
            }
          >
            The server was updated. This page is older than the server.
          </Notice>
        ) : null}
      </div>
      <main class="content" id="content" tabIndex={-1}>
        {state.is === 'open' ? <View /> : <Loading what="the page" />}
      </main>
      <Palette />
      <Announcer />
    </div>
  );
}

function Navigation() {
  const here = route.value.view;
  const waiting = openConfirmations.value;
  return (
    <nav class="nav" aria-label="Views">
      {VIEWS.map(({ view, title, path, icon }) => (
        <a
          key={view}
          class={view === here ? 'nav-link nav-here' : 'nav-link'}
          href={path}
          aria-current={view === here ? 'page' : undefined}
        >
          <Icon name={icon} class="nav-icon" />
          <span class="nav-title">{title}</span>
          {view === 'approvals' && waiting > 0 ? (
            <span class="badge num">
              {waiting}
              <span class="hidden-text"> waiting</span>
            </span>
          ) : null}
        </a>
      ))}
    </nav>
  );
}

function View() {
  const at = route.value;
  return (
    <Boundary key={at.view}>
      {at.view === 'converse' ? <Converse /> : null}
      {at.view === 'approvals' ? <Approvals /> : null}
      {at.view === 'tools' ? <Tools /> : null}
      {at.view === 'operate' ? <Operate /> : null}
      {at.view === 'unknown' ? (
        <EmptyState icon="search" title="There is nothing at this address">
          <h1 class="hidden-text">Unknown address</h1>
          <p>
            The link may be incomplete. Start <a href="/">a new conversation</a>, or search with <kbd>Ctrl K</kbd>.
          </p>
        </EmptyState>
      ) : null}
    </Boundary>
  );
}

function ConnectionNotice() {
  const state = connection.value;
  if (state.is === 'waiting' && state.attempt > 1) {
    return (
      <Notice
        tone="waits"
        actions={
          <Button size="small" onClick={reconnect}>
            Try now
          </Button>
        }
      >
        The server cannot be reached. Trying again; what you see may be out of date.
      </Notice>
    );
  }
  if (state.is === 'closed' && state.error && state.error.status !== 401) {
    return <Notice tone="waits">Live updates are not available: {state.error.message}. Reload the page to see changes.</Notice>;
  }
  return null;
}

/** The title of the tab names the view and what waits: `(2) Aileron: Tools`. */
function useTitle(): void {
  const waiting = openConfirmations.value;
  const view = VIEWS.find((entry) => entry.view === route.value.view);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}Aileron${view ? `: ${view.title}` : ''}`;
  }, [waiting, view]);
}
