/** Words that people or tools have chosen, as Markdown that shows them as they are. Pure. */
export const plainWords = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>#|~&]/g, "\\$&");
