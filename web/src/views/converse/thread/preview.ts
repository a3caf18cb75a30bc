// Splits the preview of a confirmation into a question and what it is about.
export interface QuestionText {
  title: string;
  body: string;
}

/** `Create this event: "Review", Fri 10:00` becomes the question `Create this event?` and the rest. */
export function questionText(preview: string, toolId: string): QuestionText {
  const match = /^([^:"\n]{3,60}):\s+([\s\S]+)$/.exec(preview.trim());
  if (match?.[1] && match[2]) return { title: `${match[1].trim()}?`, body: match[2].trim() };
  return { title: `Approve ${toolId}?`, body: preview.trim() };
}
