// A message of a tool to the person: an image with its caption, or anything else as it is.
import { useEffect, useState } from 'preact/hooks';
import type { ToolMessage } from '@aileron/client';
import { aileron, token } from '../../../api';
import { Icon } from '../../../ui/icon';
import { Json } from '../../../ui/json/json';
import { Markdown } from '../../../ui/markdown/markdown';
import { safeAddress } from '../../../ui/markdown/inline';
import { visible } from '../../../ui/visible';

export function ToolMessageView({ message }: { message: ToolMessage }) {
  if (message.type === 'image' && typeof message.url === 'string') {
    return <ToolImage url={message.url} alt={text(message.alt) || text(message.caption)} caption={text(message.caption)} />;
  }
  if (message.type === 'timeout') return <p class="farewell">{text(message.farewellMessage)}</p>;
  const words = text(message.text) || text(message.message);
  if (words) return <Markdown text={words} breaks />;
  return <Json value={message} label="Message of a tool" />;
}

function text(value: unknown): string {
  return typeof value === 'string' ? visible(value) : '';
}

/** Only images of this server are loaded; others become a link, because the page requests nothing from elsewhere. */
const OWN = /^\/v1\/images\/([\w.-]+)$/;

export interface ToolImageProps {
  url: string;
  alt: string;
  caption: string;
}

export function ToolImage({ url, alt, caption }: ToolImageProps) {
  const id = OWN.exec(url)?.[1];
  const [state, setState] = useState<{ source?: string; failed?: boolean }>(token() === null && id ? { source: url } : {});

  useEffect(() => {
    if (!id || token() === null) return;
    const stop = new AbortController();
    let made: string | undefined;
    aileron.image(id, { signal: stop.signal }).then(
      (blob) => setState({ source: (made = URL.createObjectURL(blob)) }),
      () => !stop.signal.aborted && setState({ failed: true }),
    );
    return () => {
      stop.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [id]);

  const elsewhere = safeAddress(url);
  return (
    <figure class="tool-image">
      {id && !state.failed ? (
        <div class="tool-image-frame">
          {state.source ? <img src={state.source} alt={alt} loading="lazy" onError={() => setState({ failed: true })} /> : null}
        </div>
      ) : (
        <p class="tool-image-none">
          <Icon name="image" />{' '}
          {state.failed ? (
            'The image is no longer kept by the server.'
          ) : elsewhere ? (
            <a href={elsewhere} target="_blank" rel="noopener noreferrer">
              Open the image at {new URL(elsewhere).host}
            </a>
          ) : (
            'The image has no address that this page may load.'
          )}
        </p>
      )}
      {caption ? (
        <figcaption class="small muted" dir="auto">
          {caption}
        </figcaption>
      ) : null}
    </figure>
  );
}
