// Catches a fault of a view, so that the header and the other views stay usable.
import { Component, type ComponentChildren } from 'preact';
import { ErrorState } from '../ui/states';

interface Props {
  children: ComponentChildren;
}

interface State {
  error?: unknown;
}

export class Boundary extends Component<Props, State> {
  override state: State = {};

  static override getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  /** The console names the place in the code; the page says only that the view stopped. */
  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render({ children }: Props, { error }: State) {
    if (error === undefined) return children;
    return <ErrorState title="This view stopped working" error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
