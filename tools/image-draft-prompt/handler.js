// Composes prompt variants from fixed phrases: the same input always gives the same prompts.
import { sensitiveTopics } from '../_lib/sensitive-topics.js';

const STYLES = {
  photo: 'a photograph of',
  illustration: 'a detailed illustration of',
  watercolor: 'a watercolor painting of',
  line_art: 'a clean line drawing of',
  flat_design: 'a flat vector design of',
  render_3d: 'a 3D render of',
};

const FRAMINGS = [
  { label: 'balanced', framing: 'seen at eye level, subject in the middle ground', light: 'soft natural light' },
  { label: 'close', framing: 'seen close up, background out of focus', light: 'warm light from one side' },
  { label: 'wide', framing: 'seen from afar with wide surroundings', light: 'low sun and long shadows' },
  { label: 'from above', framing: 'seen from above', light: 'even diffuse light' },
];

export async function execute({ args }) {
  const variants = FRAMINGS.slice(0, args.variants).map((framing) => variant(args, framing));
  const topics = sensitiveTopics(variants.map(({ prompt }) => prompt).join('\n'), args.avoid?.join('\n'));
  return { ok: true, data: { variants, sensitive_topics: topics } };
}

function variant(args, { label, framing, light }) {
  const parts = [`${STYLES[args.style]} ${args.subject.trim()}`, framing, light];
  if (args.mood) parts.push(`${args.mood} mood`);
  if (args.include?.length) parts.push(`with ${listed(args.include)}`);
  const prompt = parts.join(', ');
  return args.avoid?.length ? { label, prompt, negative_prompt: args.avoid.join(', ') } : { label, prompt };
}

function listed(things) {
  if (things.length === 1) return things[0];
  return `${things.slice(0, -1).join(', ')} and ${things[things.length - 1]}`;
}
