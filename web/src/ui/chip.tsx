// Chip: a short state in a word. The tone has a meaning, and the icon says it without colour.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

export type Tone = 'neutral' | 'passed' | 'refused' | 'waits' | 'running' | 'person';

export interface ChipProps {
  tone?: Tone;
  icon?: IconName;
  title?: string;
  children: ComponentChildren;
}

export function Chip({ tone = 'neutral', icon, title, children }: ChipProps) {
  return (
    <span class={`chip chip-${tone}`} title={title}>
      {icon ? <Icon name={icon} size={13} /> : null}
      {children}
    </span>
  );
}
