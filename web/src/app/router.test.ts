// The addresses of the page, each to its view.
import { describe, expect, it } from 'vitest';
import { parseRoute, paths, type Route } from './router';

const CASES: [string, Route][] = [
  ['/', { view: 'converse' }],
  ['/c/demo-1', { view: 'converse', conversation: 'demo-1' }],
  ['/c/demo-1/t/3', { view: 'converse', conversation: 'demo-1', turn: 3 }],
  ['/c/a%2Fb', { view: 'converse', conversation: 'a/b' }],
  ['/approvals', { view: 'approvals' }],
  ['/tools', { view: 'tools' }],
  ['/tools/github.search_issues', { view: 'tools', tool: 'github.search_issues' }],
  ['/operate', { view: 'operate', audit: false }],
  ['/operate/audit', { view: 'operate', audit: true }],
];

describe('addresses', () => {
  it.each(CASES)('%s opens its view', (path, route) => {
    expect(parseRoute(path)).toEqual(route);
  });

  it.each(['/c', '/c/a/t/x', '/c/a/t/1/2', '/nowhere', '/tools/a/b', '/approvals/1', '/%E0%A4%A'])('%s is unknown', (path) => {
    expect(parseRoute(path)).toEqual({ view: 'unknown' });
  });

  it('paths of items survive every character', () => {
    const id = 'a/b?c#d %';
    expect(parseRoute(new URL(paths.turn(id, 2, 'call 1'), 'http://x').pathname)).toEqual({ view: 'converse', conversation: id, turn: 2 });
    expect(parseRoute(new URL(paths.tool(id), 'http://x').pathname)).toEqual({ view: 'tools', tool: id });
  });
});
