// memo: a component that is drawn again only when one of its properties is another value.
import { Component, type ComponentChildren, type ComponentType, createElement } from 'preact';

export function memo<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      return Object.keys({ ...before, ...after }).some((name) => before[name] !== after[name]);
    }

    override render(props: Props): ComponentChildren {
      return createElement(Inner, props);
    }
  };
}
