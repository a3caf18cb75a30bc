// Steps of a conversation script for the simulated model.

/** The person sends anything. */
export const input = 'person writes "anything"';

/** The person speaks, and this is the transcript. */
export function heard(text: string): string {
  return `person says ${JSON.stringify(text)}`;
}

export function says(text: string): string {
  return `model says ${JSON.stringify(text)}`;
}

export function calls(id: string, tool: string, args: unknown): string {
  return `model calls ${id} ${tool} ${JSON.stringify(args)}`;
}

export function script(...steps: string[]): string {
  return steps.join('\n');
}
