// One event stream for all tabs of a browser. A browser opens six connections to a server; a stream for each tab would use
// them up, and the seventh tab would not load. One tab reads the stream and hands its events to the others; when it is closed,
// the next one continues after the last event.
import type { Aileron, ConnectionState, EventSubscription, ServerEvent } from '@aileron/client';

export interface TabEventsOptions {
  /** Tabs with the same name see the same events: those of one person in one role. */
  name: string;
  onEvent: (event: ServerEvent) => void;
  onState: (state: ConnectionState) => void;
}

type TabMessage =
  | { is: 'event'; event: ServerEvent; id: string | undefined }
  | { is: 'state'; state: ConnectionState }
  /** A tab that was opened, or that shows the connection as lost, asks the reading tab. */
  | { is: 'ask' }
  | { is: 'retry' };

export type TabSubscription = Pick<EventSubscription, 'retry' | 'close'>;

export function tabEvents(aileron: Aileron, options: TabEventsOptions): TabSubscription {
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') return aileron.events(options);
  return new TabEvents(aileron, options);
}

class TabEvents implements TabSubscription {
  private readonly channel: BroadcastChannel;
  private readonly waiting = new AbortController();
  private stream: EventSubscription | undefined;
  private lastEventId: string | undefined;
  private release: () => void = () => undefined;

  constructor(
    private readonly aileron: Aileron,
    private readonly options: TabEventsOptions,
  ) {
    const name = `aileron events of ${options.name}`;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = (message: MessageEvent<TabMessage>) => this.receive(message.data);
    this.send({ is: 'ask' });
    const { signal } = this.waiting;
    // The browser gives the lock to one tab, and to the next one when that tab is closed.
    navigator.locks.request(name, { signal }, () => this.read()).catch(() => undefined);
  }

  retry(): void {
    if (this.stream) this.stream.retry();
    else this.send({ is: 'retry' });
  }

  close(): void {
    this.waiting.abort();
    this.stream?.close();
    this.channel.close();
    this.release();
  }

  /** Reads the stream until this tab is closed or signed out. */
  private read(): Promise<void> {
    const { lastEventId } = this;
    return new Promise((resolve) => {
      this.release = resolve;
      this.stream = this.aileron.events({
        ...(lastEventId === undefined ? {} : { lastEventId }),
        onEvent: (event) => this.pass(event),
        onState: (state) => this.move(state),
      });
    });
  }

  private pass(event: ServerEvent): void {
    this.send({ is: 'event', event, id: this.stream?.lastEventId });
    this.options.onEvent(event);
  }

  private move(state: ConnectionState): void {
    this.options.onState(state);
    // A tab that may not read gives way to one that may.
    if (state.is === 'closed') this.release();
    else this.send({ is: 'state', state: plain(state) });
  }

  private receive(message: TabMessage): void {
    if (message.is === 'event') {
      this.lastEventId = message.id;
      this.options.onEvent(message.event);
    } else if (message.is === 'state') {
      this.options.onState(message.state);
    } else if (this.stream) {
      if (message.is === 'retry') this.stream.retry();
      else if (this.stream.state.is !== 'closed') this.send({ is: 'state', state: plain(this.stream.state) });
    }
  }

  private send(message: TabMessage): void {
    this.channel.postMessage(message);
  }
}

/** Errors lose their class on the way to another tab; the fields that are shown stay. */
function plain(state: ConnectionState): ConnectionState {
  if (state.is !== 'waiting') return state;
  const { name, message, code, status } = state.error;
  return { ...state, error: { name, message, code, status } as typeof state.error };
}
