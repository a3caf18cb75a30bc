// Notice: one line across the page that says what is the matter and what to do about it.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

export interface NoticeProps {
  tone: 'info' | 'waits' | 'refused';
  icon?: IconName;
  children: ComponentChildren;
  /** Buttons at the end of the line. */
  actions?: ComponentChildren;
}

export function Notice({ tone, icon, children, actions }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`} role={tone === 'refused' ? 'alert' : 'status'}>
      <Icon name={icon ?? (tone === 'info' ? 'info' : 'warning')} />
      <span class="grow">{children}</span>
      {actions}
    </div>
  );
}
