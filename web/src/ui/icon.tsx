// The one set of icons, drawn as inline SVG strokes that take the colour of the text.
const PATHS = {
  arrowLeft: 'M16 10H4m5-5-5 5 5 5',
  arrowUp: 'M10 16V4M5 9l5-5 5 5',
  arrowDown: 'M10 4v12m-5-5 5 5 5-5',
  block: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM5 5l10 10',
  brand: 'M2 13 18 6M6 17l6-10',
  check: 'm4 10.5 4 4 8-9',
  chevronDown: 'm5 8 5 5 5-5',
  chevronRight: 'm8 5 5 5-5 5',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm0 3.5V10l2.5 1.5',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  dot: 'M10 9.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6Z',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16h12',
  edit: 'm12 5 3 3-8 8H4v-3zM11 6l3 3',
  external: 'M8 5H4v11h11v-4M11 4h5v5M16 4l-7 7',
  file: 'M5 3h6l4 4v10H5zM11 3v4h4',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  image: 'M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 8h.01',
  info: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm0 6v5m0-7.5v.1',
  key: 'M12.5 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 10l-6 6m2-2 2 2',
  link: 'M8 12l4-4M7 9l-2 2a3 3 0 0 0 4 4l2-2M13 11l2-2a3 3 0 0 0-4-4L9 7',
  list: 'M7 5h10M7 10h10M7 15h10M3 5h.01M3 10h.01M3 15h.01',
  menu: 'M3 6h14M3 10h14M3 14h14',
  mic: 'M10 3a2.5 2.5 0 0 0-2.5 2.5v4a2.5 2.5 0 0 0 5 0v-4A2.5 2.5 0 0 0 10 3ZM5 9.5a5 5 0 0 0 10 0M10 14.5V17',
  micOff:
    'M7.5 8v1.5a2.5 2.5 0 0 0 4.2 1.8M12.5 8.5v-3a2.5 2.5 0 0 0-4.8-1M5 9.5a5 5 0 0 0 8.4 3.7M15 9.5c0 .7-.1 1.3-.4 1.9M10 14.5V17M3 3l14 14',
  minus: 'M4 10h12',
  moon: 'M16 12.5A6.5 6.5 0 0 1 7.5 4a6.5 6.5 0 1 0 8.5 8.5Z',
  panel: 'M3 4h14v12H3zM12 4v12',
  person: 'M10 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5',
  play: 'M6 4.5v11l9-5.5z',
  plus: 'M10 4v12M4 10h12',
  refresh: 'M15.5 8A6 6 0 1 0 16 11M16 4v4h-4',
  retry: 'M4.5 8A6 6 0 1 1 4 11M4 4v4h4',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4Zm4 9 3.5 3.5',
  signOut: 'M8 4H4v12h4M8 10h9m-4-4 4 4-4 4',
  sliders: 'M3 6h8m4 0h2M3 14h2m4 0h8M13 4v4M7 12v4',
  speaker: 'M3 8v4h3l4 3.5v-11L6 8zM13 7.5a4 4 0 0 1 0 5M15.5 5a7 7 0 0 1 0 10',
  stop: 'M6 6h8v8H6z',
  sun: 'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  system: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 3v14M10 6h3.5M10 9h6M10 12h6M10 15h4',
  terminal: 'M3 4h14v12H3zM6 8l2.5 2L6 12M10.5 12.5H14',
  tool: 'M12.5 4a3.5 3.5 0 0 0-3.3 4.7L4 14l2 2 5.3-5.2A3.5 3.5 0 0 0 16 7.5l-2 2-2.5-1 .5-3 2-1a4 4 0 0 0-1.5-.5Z',
  warning: 'M10 3.5 17.5 16h-15zM10 8v4m0 2v.1',
  wave: 'M3 9v2M6.5 6.5v7M10 4v12M13.5 6.5v7M17 9v2',
} as const;

export type IconName = keyof typeof PATHS;

export interface IconProps {
  name: IconName;
  size?: number;
  /** Read out; without it the icon is decoration. */
  label?: string;
  class?: string;
}

export function Icon({ name, size = 18, label, class: className }: IconProps) {
  return (
    <svg
      class={className ? `icon ${className}` : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : 'true'}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
