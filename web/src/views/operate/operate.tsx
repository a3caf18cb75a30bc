// The view Operate: the figures of the last hour, and the audit log.
import './operate.css';
import { paths, route } from '../../app/router';
import { seesAll } from '../../app/session';
import { Audit } from './audit/audit';
import { Figures } from './figures-view';

export default function Operate() {
  const at = route.value;
  const audit = at.view === 'operate' && at.audit;
  return (
    <div class={audit ? 'operate operate-audit' : 'operate'}>
      <nav class="operate-parts" aria-label="Parts of Operate">
        <a href={paths.operate} aria-current={audit ? undefined : 'page'}>
          Last hour
        </a>
        <a href={paths.audit} aria-current={audit ? 'page' : undefined}>
          {seesAll.value ? 'Audit log' : 'My audit log'}
        </a>
      </nav>
      <div class="operate-body">{audit ? <Audit /> : <Figures />}</div>
    </div>
  );
}
