import { serve } from "../processes/serve.ts";
import { createPageText } from "./page-text.ts";

const pageText = createPageText();

/** The input is the page's URL, a line break, the page. */
serve((given) => {
  const input = given.toString();
  const end = input.indexOf("\n");
  return pageText(input.slice(end + 1), input.slice(0, end));
});
