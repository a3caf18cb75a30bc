// Unplugs the microphone of a page. The fake device of Chromium cannot be removed while it runs, so its removal is simulated as
// the page would see it: the browser ends the track and fires `ended` at it (only `stop` of the page itself fires nothing), devices
// are requested in vain with `NotFoundError`, and `devicechange` is fired. Everything else of the sound is real.
import type { Page } from 'playwright-core';

interface Microphones {
  tracks: MediaStreamTrack[];
  isPlugged: boolean;
}

/** Makes the microphone removable. To be called before the page opens it. */
export async function makeRemovable(page: Page): Promise<void> {
  await page.evaluate(() => {
    const microphones: Microphones = { tracks: [], isPlugged: true };
    Object.assign(window, { microphones });
    const media = navigator.mediaDevices;
    const open = media.getUserMedia.bind(media);
    const list = media.enumerateDevices.bind(media);
    media.getUserMedia = async (constraints) => {
      if (!microphones.isPlugged) throw new DOMException('Requested device not found', 'NotFoundError');
      const stream = await open(constraints);
      microphones.tracks.push(...stream.getTracks());
      return stream;
    };
    media.enumerateDevices = async () => (microphones.isPlugged ? list() : []);
  });
}

export async function unplug(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { microphones } = window as unknown as { microphones: Microphones };
    microphones.isPlugged = false;
    for (const track of microphones.tracks.filter(({ readyState }) => readyState === 'live')) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  });
}

export async function plugIn(page: Page): Promise<void> {
  await page.evaluate(() => {
    (window as unknown as { microphones: Microphones }).microphones.isPlugged = true;
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  });
}
