// Dialog: a modal on the native dialog element, closed by Escape, by its button or by a click beside it.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons of the last row. */
  actions?: ComponentChildren;
  size?: 'small' | 'wide';
  /** Hides the title row; the title still names the dialog. */
  bare?: boolean;
}

export function Dialog({ title, onClose, children, actions, size = 'small', bare = false }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  function clickBeside(event: MouseEvent) {
    if (event.target === box.current) onClose();
  }

  return (
    <dialog
      ref={box}
      class={`dialog dialog-${size}`}
      aria-labelledby={id}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClick={clickBeside}
    >
      <div class="dialog-box">
        <header class={bare ? 'hidden-text' : 'dialog-head'}>
          <h2 id={id}>{title}</h2>
          {bare ? null : <Button kind="quiet" icon="close" label="Close" onClick={onClose} />}
        </header>
        <div class={bare ? 'dialog-bare' : 'dialog-body'}>{children}</div>
        {actions ? <footer class="dialog-foot">{actions}</footer> : null}
      </div>
    </dialog>
  );
}
