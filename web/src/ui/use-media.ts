// Whether a media query fits, followed while a component is mounted.
import { useEffect, useState } from 'preact/hooks';

export function useMedia(media: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(media).matches);
  useEffect(() => {
    const query = matchMedia(media);
    const change = () => setFits(query.matches);
    change();
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, [media]);
  return fits;
}
