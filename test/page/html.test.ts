import { expect, it } from "vitest";
import { html, type HtmlValue } from "../../src/page/html.ts";

it("escapes what it is given, in text and in attributes", () => {
  const given = `<script>"'\`&`;
  expect(html`<p title="${given}">${given}</p>`.toString()).toBe(
    `<p title="&lt;script&gt;&quot;&#39;&#96;&amp;">&lt;script&gt;&quot;&#39;&#96;&amp;</p>`,
  );
});

it("joins lists, keeps markup, and leaves out what is absent", () => {
  const parts: HtmlValue = [html`<b>1</b>`, "<", 2, false, undefined, [html`<i></i>`]];
  expect(html`${parts}`.toString()).toBe("<b>1</b>&lt;2<i></i>");
});
