/** Asks a model in words to answer with JSON, if no other text does. */
export const jsonHint = "Answer with a JSON object.";

export function mentionsJson(text: string): boolean {
  return /json/i.test(text);
}
