/** For a model that is to answer with JSON and has not been told so in words. */
export const jsonHint = "Answer with a JSON object.";

export function mentionsJson(text: string): boolean {
  return /json/i.test(text);
}
