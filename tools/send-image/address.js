// Tells a public web address from one that points into a private network or carries credentials.
// Looks at the text only; what a public name resolves to is for the host to judge.

const AUTHORITY = /^https?:\/\/([^\/?#\\]+)/i;
// A host name with a dot, in ASCII: other scripts may fold into digits.
const PLAIN_HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
const LOCAL_NAME = /^(localhost|.+\.(localhost|local|internal|lan|home\.arpa))$/;
const DOTTED = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/;

export function isPublicAddress(url) {
  const authority = AUTHORITY.exec(url)?.[1];
  if (!authority || authority.includes('@')) return false;
  const host = authority.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  if (!PLAIN_HOST.test(host) || LOCAL_NAME.test(host)) return false;
  return isNumeric(host) ? isPublicIpv4(host) : true;
}

/** Browsers read a last label of digits, or 0x, as an IPv4 address in one of its odd spellings. */
function isNumeric(host) {
  return /^(\d+|0x[0-9a-f]*)$/.test(host.split('.').pop());
}

function isPublicIpv4(host) {
  const parts = DOTTED.exec(host);
  if (!parts || /(^|\.)0\d/.test(host)) return false;
  const [a, b] = [Number(parts[1]), Number(parts[2])];
  if ([0, 10, 127].includes(a) || a >= 224) return false;
  return !isPrivatePair(a, b);
}

function isPrivatePair(a, b) {
  if (a === 172) return b >= 16 && b <= 31;
  if (a === 100) return b >= 64 && b <= 127;
  return (a === 192 && b === 168) || (a === 169 && b === 254);
}
