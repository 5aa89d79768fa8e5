import { serve } from "../processes/serve.ts";
import { createPageText } from "./page-text.ts";

/**
 * UTF-16 units; three bytes for each are less than a reply may have. A page's links can make its
 * text longer than it is.
 */
const maxLength = 2_000_000;

const pageText = createPageText();

/** The input is the page's URL, a line break, the page. */
serve((given) => {
  const input = given.toString();
  const end = input.indexOf("\n");
  const text = pageText(input.slice(end + 1), input.slice(0, end));
  return text.slice(0, maxLength);
});
