// The view Tools: the catalogue of all tools, and the workbench of one of them.
import { useEffect } from 'preact/hooks';
import './tools.css';
import { paths, query, route } from '../../app/router';
import { Icon } from '../../ui/icon';
import { ErrorState, Loading } from '../../ui/states';
import { Catalogue } from './catalogue-view';
import { Difference } from './difference';
import { loadTools, openTools, toolsState } from './store';
import { ToolPage } from './tool-page';

export default function Tools() {
  useEffect(openTools, []);
  const at = route.value;
  const tool = at.view === 'tools' ? at.tool : undefined;
  const against = query.value.get('against');
  return (
    <div class={tool === undefined ? 'tools' : 'tools tools-open'}>
      <section class="tools-list" aria-label="Catalogue">
        {tool === undefined && against === null ? <h1 class="hidden-text">Tools</h1> : null}
        <List chosen={tool} />
      </section>
      {tool !== undefined ? <ToolPage key={tool} id={tool} /> : against !== null ? <AllChanges /> : null}
    </div>
  );
}

function List({ chosen }: { chosen: string | undefined }) {
  const state = toolsState.value;
  if (state.is === 'failed')
    return <ErrorState title="The tools could not be loaded" error={state.error} onRetry={() => void loadTools()} />;
  if (state.is === 'loading') return <Loading what="the tools" lines={8} />;
  return <Catalogue tools={state.tools} chosen={chosen} />;
}

/** The difference of two whole registries, at `/tools?against=`. */
function AllChanges() {
  return (
    <div class="tool">
      <div class="tool-width">
        <a class="tool-back" href={paths.tools}>
          <Icon name="arrowLeft" size={16} /> All tools
        </a>
        <h1>Changes of the registry</h1>
        <Difference />
      </div>
    </div>
  );
}
