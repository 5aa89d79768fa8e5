const textOf = (markup: string): string =>
  markup
    .replaceAll(/<(?:title|svg)[^>]*>[\s\S]*?<\/(?:title|svg)>/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The cells of a table of a page, as people read them; none: there is no such table. */
export function rowsOf(page: string, caption: string): readonly (readonly string[])[] {
  const table = page
    .split("<table")
    .find(
      (each) => textOf(/<caption[^>]*>([\s\S]*?)<\/caption>/.exec(each)?.[1] ?? "") === caption,
    );
  const [, body = ""] = /<tbody>([\s\S]*?)<\/tbody>/.exec(table ?? "") ?? [];
  return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => textOf(cell)),
  );
}

/** The paragraphs of a page, as people read them. */
export const linesOf = (page: string): readonly string[] =>
  [...page.matchAll(/<(p|li|dt|dd)[\s>][\s\S]*?<\/\1>/g)].map(([all]) => textOf(all));
