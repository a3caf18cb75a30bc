// Loads a view's code when it is first shown. A file that is gone, after an update of the server, asks for a reload.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button';
import { EmptyState, Loading } from '../ui/states';

type Loader<Props> = () => Promise<{ default: ComponentType<Props> }>;

export function lazy<Props extends object>(load: Loader<Props>): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined;

  return function Lazy(props: Props) {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded ? 'ready' : 'loading');
    useEffect(() => {
      if (loaded) return;
      let mounted = true;
      load().then(
        (module) => {
          loaded = module.default;
          if (mounted) setState('ready');
        },
        () => mounted && setState('failed'),
      );
      return () => {
        mounted = false;
      };
    }, []);
    const View = loaded;
    if (state === 'failed') return <LoadFailed />;
    return View ? <View {...props} /> : <Loading what="the view" lines={5} />;
  };
}

function LoadFailed() {
  return (
    <EmptyState icon="refresh" title="This part of the page could not be loaded">
      <p>The server may have been updated since the page was opened, or it cannot be reached.</p>
      <p class="state-actions">
        <Button icon="refresh" onClick={() => globalThis.location.reload()}>
          Load the page again
        </Button>
      </p>
    </EmptyState>
  );
}
