import { describe, expect, it } from "vitest";
import { createPageText } from "../../src/tools/fetch-url/page-text.ts";

const pageText = createPageText();
const read = (html: string) => pageText(html, "https://e.org/a/b?c");

const long = "A sentence of the story. ".repeat(20).trim();

describe("the text of a page", () => {
  it("is its main part, where that has text", () => {
    const html = `<body><header>Shop</header><div>cookies?</div><main><p>${long}</p></main><div>more shops</div></body>`;
    expect(read(html)).toBe(long);
  });

  it("is the article, where nothing is main", () => {
    const html = `<body><div>cookies?</div><article><p>${long}</p></article></body>`;
    expect(read(html)).toBe(long);
  });

  it("is all of it, where the main part has next to nothing", () => {
    const html = `<body><main>Loading</main><div>${long}</div></body>`;
    expect(read(html)).toBe(`Loading\n${long}`);
  });

  it("is that of a piece without a body, too", () => {
    expect(read("<h1>Head</h1>text")).toBe("Head\n\ntext");
    expect(read("text")).toBe("text");
    expect(read("")).toBe("");
  });

  it("begins with the page's title, once", () => {
    expect(read("<title> A &lt;b&gt;\n tea </title><svg><title>icon</title></svg><p>text")).toBe(
      "A <b> tea\n\ntext",
    );
  });

  it.each([
    "<script>x()</script>",
    "<style>p{}</style>",
    "<noscript>x</noscript>",
    "<template>x</template>",
    "<nav>x</nav>",
    "<footer>x</footer>",
    "<form>x</form>",
    "<button>x</button>",
    "<svg><text>x</text></svg>",
    "<img alt='x' src='x.png'>",
    "<iframe>x</iframe>",
    "<div hidden>x</div>",
    "<div aria-hidden='true'>x</div>",
    "<div role='navigation'>x</div>",
    "<!-- x -->",
  ])("has nothing of %s", (html) => {
    expect(read(`<body><p>before</p>${html}<p>after</p></body>`)).toBe("before\n\nafter");
  });

  it.each([
    ['<a href="/x?y=1#z">link</a>', "link [https://e.org/x?y=1#z]"],
    ['<a href="x">link</a>', "link [https://e.org/a/x]"],
    ['<a href="//f.org/">link</a>', "link [https://f.org/]"],
    ['<a href="https://f.org/">https://f.org/</a>', "https://f.org/"],
    ['<a href="#part">link</a>', "link"],
    ['<a href="javascript:alert(1)">link</a>', "link"],
    ['<a href="data:text/plain,x">link</a>', "link"],
    ['<a href="http://[">link</a>', "link"],
    [`<a href="/${"x".repeat(600)}">link</a>`, "link"],
  ])("says where %.60s leads", (html, expected) => {
    expect(read(`<p>${html}</p>`)).toBe(expected);
  });

  it("keeps lists, tables, headings and code", () => {
    expect(
      read(`<h2>Head</h2><ul><li>one<li>two<ul><li>deep</ul></ul><ol><li>first<li>second</ol>
            <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre>if x:\n    y</pre>`),
    ).toBe(
      "Head\n\n- one\n- two\n  - deep\n\n 1. first\n 2. second\n\na | b |\n1 | 2 |\n\nif x:\n    y",
    );
  });

  it("has no more empty lines than one at once", () => {
    expect(read(`<p>a</p>${"<br>".repeat(50)}<p>b</p>`)).toMatch(/^a\n\nb$/);
  });

  it("ends where there are too many tags to look at", () => {
    const text = read(`<body>${"<b>x</b>".repeat(60_000)}<p>end</p></body>`);
    expect(text).toMatch(/^x{49000,50000}$/);
  });

  it("ends where it is too deep", () => {
    const text = read(`top${"<div>".repeat(5_000)}bottom`);
    expect(text).toContain("top");
    expect(text).not.toContain("bottom");
  });
});
