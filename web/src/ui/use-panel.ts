// A panel beside the content: takes the focus where it covers the content, closes on Escape, and gives the focus back.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Below this width panels cover the content. */
const COVERS = '(max-width: 900px)';

export function usePanel(onClose: () => void): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const before = document.activeElement;
    if (matchMedia(COVERS).matches) panel.current?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const { target } = event;
      // The link that opened the panel keeps the focus where the panel does not cover it.
      if (target instanceof Node && (target === before || panel.current?.contains(target))) close.current();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body) before.focus();
    };
  }, []);

  return panel;
}
