// Button: the four kinds of button, with an optional icon and a busy state.
import type { ComponentChildren, Ref } from 'preact';
import { Icon, type IconName } from './icon';

export interface ButtonProps {
  children?: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  kind?: 'plain' | 'primary' | 'quiet' | 'danger';
  size?: 'small' | 'normal';
  icon?: IconName;
  /** Needed when there is only an icon; also the tooltip. */
  label?: string;
  busy?: boolean;
  disabled?: boolean;
  type?: 'button' | 'submit';
  pressed?: boolean;
  expanded?: boolean;
  controls?: string;
  autofocus?: boolean;
  class?: string;
  buttonRef?: Ref<HTMLButtonElement>;
  shortcut?: string;
}

export function Button(props: ButtonProps) {
  const { children, kind = 'plain', size = 'normal', icon, label, busy = false, type = 'button' } = props;
  const classes = ['button', `button-${kind}`, `button-${size}`];
  if (!children) classes.push('button-icon');
  if (props.class) classes.push(props.class);
  return (
    <button
      ref={props.buttonRef}
      type={type}
      class={classes.join(' ')}
      onClick={props.onClick}
      disabled={props.disabled || busy}
      autoFocus={props.autofocus}
      aria-label={children ? undefined : label}
      aria-busy={busy || undefined}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      aria-controls={props.controls}
      aria-keyshortcuts={props.shortcut}
      title={label}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon ? <Icon name={icon} size={size === 'small' ? 16 : 18} /> : null}
      {children ? <span>{children}</span> : null}
    </button>
  );
}
