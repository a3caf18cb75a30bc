// CopyButton: copies a text to the clipboard and says that it did.
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button';

export interface CopyButtonProps {
  /** A text, or a function that makes it when the button is pressed. */
  text: string | (() => string);
  label?: string;
  children?: string;
  kind?: 'plain' | 'quiet';
}

type Copied = 'no' | 'yes' | 'failed';

export function CopyButton({ text, label = 'Copy', children, kind = 'quiet' }: CopyButtonProps) {
  const [copied, setCopied] = useState<Copied>('no');
  useEffect(() => {
    if (copied === 'no') return;
    const timer = setTimeout(() => setCopied('no'), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text);
      setCopied('yes');
    } catch {
      setCopied('failed');
    }
  }

  const said = copied === 'yes' ? 'Copied' : copied === 'failed' ? 'Could not copy' : undefined;
  return (
    <>
      <Button kind={kind} size="small" icon={copied === 'yes' ? 'check' : 'copy'} label={said ?? label} onClick={copy}>
        {children ? (said ?? children) : undefined}
      </Button>
      <span class="hidden-text" role="status">
        {said}
      </span>
    </>
  );
}
