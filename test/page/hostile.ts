import * as fc from "fast-check";

/** Text that would be markup, or hide or move what is next to it, if it were not escaped. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '"><svg onload=alert(1)>',
        "' autofocus onfocus='alert(1)",
        "</textarea><script>",
        "</pre></article>",
        "`${1}`",
        "&lt;b&gt;",
        "\u202e",
        "\u200b",
        "javascript:alert(1)",
      ),
      fc.string({ maxLength: 20, unit: "binary" }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));

const ourTags = new Set(
  "a article body button caption code del details div form h1 h2 h3 head header html input ins label li link main meta nav noscript option p pre script select span summary table tbody td textarea th thead time title tr ul".split(
    " ",
  ),
);
const ourAttributes =
  /^(?:lang|charset|name|content|rel|href|type|src|defer|class|id|aria-[a-z]+|method|action|role|value|datetime|tabindex|scope|rows|maxlength|spellcheck|selected|data-label|hx-[a-z:]+)$/;
const ourPicture = `<img src="/assets/icon.svg" alt="" width="22" height="22" />`;
const tag = /<([a-z][a-z0-9]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*\/?>/gi;
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'))?/g;

/** What in a page is none of our own markup: empty if all that people wrote stayed text. */
export function strangeMarkup(whole: string): readonly string[] {
  const page = whole.replaceAll(ourPicture, "");
  const tags = [...page.matchAll(tag)];
  const strange = tags.flatMap(([found, name = "", attributes = ""]) => [
    ...(ourTags.has(name) ? [] : [found]),
    ...[...attributes.matchAll(attribute)].flatMap(([, each = ""]) =>
      ourAttributes.test(each) ? [] : [found],
    ),
    ...(name === "script" && !/src="\/assets\/[a-z.-]+"/.test(attributes) ? [found] : []),
    ...(/(?:href|action)="(?!\/[^/]|\/"|#)/.test(attributes) ? [found] : []),
  ]);
  const opened = page.match(/<[a-z]/gi)?.length ?? 0;
  return opened === tags.length ? strange : [...strange, `${opened - tags.length} unread tags`];
}
