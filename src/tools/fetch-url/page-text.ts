import { compile, type HtmlToTextOptions } from "html-to-text";

/** A page with less text than this in its main part has its text elsewhere. */
const minMainLength = 200;
/** Characters; longer links are data. */
const longestLink = 500;
/**
 * Only so many tags are looked at: each costs some hundred bytes of memory, and the process has not
 * much.
 */
const maxTags = 100_000;
const maxDepth = 200;

const skipped =
  "title img picture svg canvas video audio iframe object embed template noscript nav footer form button select dialog [hidden] [aria-hidden=true] [role=navigation] [role=search]".split(
    " ",
  );

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth, ellipsis: "…", maxBaseElements: 1_000 },
  selectors: [
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "hr", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    {
      selector: "tr",
      format: "block",
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    },
    ...["td", "th"].map((selector) => ({
      selector,
      format: "inlineSurround",
      options: { suffix: " | " },
    })),
    ...skipped.map((selector) => ({ selector, format: "skip" })),
    {
      selector: "a",
      options: {
        pathRewrite: absoluteLink,
        noAnchorUrl: true,
        hideLinkHrefIfSameAsText: true,
      },
    },
  ],
};

/**
 * The content of the selected elements; a page without a `body` is one as a
 * whole.
 */
function part(selectors: string[]): (html: string, given: Page) => string {
  const returnDomByDefault = selectors[0] === "body";
  return compile({
    ...options,
    baseElements: { selectors, returnDomByDefault },
  });
}

/** A page's properties that its links need. */
interface Page {
  readonly url: string;
}

/**
 * The readable text of an HTML page, its title first; empty when there is none. Slow for hostile
 * pages.
 */
export function createPageText(): (html: string, url: string) => string {
  const title = compile({
    wordwrap: false,
    limits: { maxDepth, maxBaseElements: 1 },
    baseElements: { selectors: ["title"], returnDomByDefault: false },
  });
  const main = part(["main", "[role=main]", "article"]);
  const whole = part(["body"]);
  return (html, url) => {
    const bounded = withoutTagsAfter(html, maxTags);
    const given = { url };
    const inMain = main(bounded, given).trim();
    const text = inMain.length < minMainLength ? whole(bounded, given).trim() : inMain;
    const named = title(bounded).replaceAll(/\s+/g, " ").trim();
    return [named, tidy(text)].filter((each) => each !== "").join("\n\n");
  };
}

/** Absolute, or empty (which html-to-text leaves out) if it isn't a link to a page. */
function absoluteLink(path: string, page?: Page): string {
  const url = URL.parse(path, page?.url);
  const isPage = url?.protocol === "http:" || url?.protocol === "https:";
  return isPage && url.href.length <= longestLink ? url.href : "";
}

function withoutTagsAfter(html: string, count: number): string {
  let at = -1;
  for (let seen = 0; seen <= count; seen += 1) {
    at = html.indexOf("<", at + 1);
    if (at < 0) return html;
  }
  return html.slice(0, at);
}

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");
