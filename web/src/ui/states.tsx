// The designed states of a view or a part of it: nothing there, loading, failed.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';
import { Button } from './button';
import { faultOf } from './fault';

export interface EmptyStateProps {
  icon?: IconName;
  title: string;
  children?: ComponentChildren;
}

export function EmptyState({ icon = 'info', title, children }: EmptyStateProps) {
  return (
    <div class="state">
      <Icon name={icon} size={28} class="state-icon" />
      <p class="state-title">{title}</p>
      {children ? <div class="state-text">{children}</div> : null}
    </div>
  );
}

export interface LoadingProps {
  /** Said to screen readers and shown after a moment. */
  what: string;
  lines?: number;
}

export function Loading({ what, lines = 3 }: LoadingProps) {
  return (
    <div class="loading" role="status">
      <span class="hidden-text">Loading {what}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span class={`loading-line loading-line-${at % 3}`} key={at} aria-hidden="true" />
      ))}
    </div>
  );
}

export interface ErrorStateProps {
  /** The failed action, as a sentence without a full stop. */
  title: string;
  error: unknown;
  onRetry?: () => void;
  children?: ComponentChildren;
}

export function ErrorState({ title, error, onRetry, children }: ErrorStateProps) {
  const fault = faultOf(error);
  return (
    <div class="state state-error" role="alert">
      <Icon name="warning" size={28} class="state-icon" />
      <p class="state-title">{title}</p>
      <div class="state-text">
        <p>
          {fault.message}
          {fault.code ? <code class="state-code">{fault.code}</code> : null}
        </p>
        {fault.advice ? <p>{fault.advice}</p> : null}
        {children}
        {onRetry ? (
          <p class="state-actions">
            <Button icon="refresh" onClick={onRetry}>
              Try again
            </Button>
          </p>
        ) : null}
      </div>
    </div>
  );
}
