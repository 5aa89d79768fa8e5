import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { markdownPieces } from "../../../src/bots/console/format/markdown-lines.ts";
import { render } from "../../../src/bots/discord/format/render.ts";
import type { MarkdownNode } from "../../../src/bots/markdown/nodes.ts";
import { parseMarkdown } from "../../../src/bots/markdown/parse.ts";
import { formatMarkdown } from "../../../src/bots/telegram/format/format.ts";
import { richBlocksOf } from "../../../src/bots/telegram/format/rich.ts";
import { visibleText } from "../../emulators/discord/visible-text.ts";

const letters: Readonly<Record<string, string>> = {
  strong: "B",
  emphasis: "I",
  delete: "S",
  link: "L",
  inlineCode: "C",
};
const write = (node: MarkdownNode): string => {
  const words =
    "children" in node ? node.children.map(write).join("") : "value" in node ? node.value : "";
  const letter = letters[node.type];
  return letter === undefined ? words : `${letter}(${words})`;
};
/** A document's inlines: `B(bold)`. */
const shape = (markdown: string) => parseMarkdown(markdown)?.children.map(write).join(" / ");

const cases: readonly (readonly [string, string, string])[] = [
  ["a Chinese label", "**注意：**正文", "B(注意：)正文"],
  [
    "Chinese quotes and brackets",
    "打开**“设置”**，点击**【确定】**按钮。",
    "打开B(“设置”)，点击B(【确定】)按钮。",
  ],
  ["a bracket on both sides", "注意**（重要）**事项", "注意B(（重要）)事项"],
  ["a Korean particle", "**한국어(괄호)**은 그렇다", "B(한국어(괄호))은 그렇다"],
  ["Japanese brackets", "**『…』**は", "B(『…』)は"],
  ["a deletion", "~~（旧）~~新", "S(（旧）)新"],
  ["an emphasis", "*「強調」*は", "I(「強調」)は"],
  ["both at once", "***重要！***内容", "I(B(重要！))内容"],
  ["a deletion in bold", "**~~（旧）~~**新", "B(S(（旧）))新"],
  ["bold in a deletion", "~~**（旧）**~~新", "S(B(（旧）))新"],
  ["an emphasis in bold", "**粗体*「斜体」*粗体**", "B(粗体I(「斜体」)粗体)"],
  ["bold in an emphasis", "*强调**重点！**强调*", "I(强调B(重点！)强调)"],
  ["bold words in quotes", "**重要**“**非常**”", "B(重要)“B(非常)”"],
  ["code in bold", "**`code`**を", "B(C(code))を"],
  ["code", "`x`は`y`です", "C(x)はC(y)です"],
  ["a link in bold", "**[题](https://a.bc)**は", "B(L(题))は"],
  ["bold in a link", "[**「題」**](https://a.bc)は", "L(B(「題」))は"],
  ["Latin letters outside", "iPhone**（新款）**Pro", "iPhoneB(（新款）)Pro"],
  ["Latin letters behind a label", "**注意：**Hello", "B(注意：)Hello"],
  ["narrow punctuation next to Latin letters", "**安装:**Node.js", "B(安装:)Node.js"],
  ["narrow quotes next to Latin letters", "App**“设置”**Now", "AppB(“设置”)Now"],
  ["full-width letters", "**ＡＢＣ!**ｄｅｆ", "B(ＡＢＣ!)ｄｅｆ"],
  ["an emoji", "**重要✅**内容，我们**🎉完成**了", "B(重要✅)内容，我们B(🎉完成)了"],
  ["rare ideographs", '𠮷**"重要"**𠮷野家', '𠮷B("重要")𠮷野家'],
  ["a variation selector", '葛\u{e0100}**"重要"**x', '葛\u{e0100}B("重要")x'],
  ["Thai", "**ข้อควรระวัง:**ข้อความ และ**“สำคัญ”**ที่", "B(ข้อควรระวัง:)ข้อความ และB(“สำคัญ”)ที่"],
  ["Lao", "**ລາວ:**ອັກສອນ", "B(ລາວ:)ອັກສອນ"],
  ["Khmer", "**ខ្មែរ៖**អក្សរ", "B(ខ្មែរ៖)អក្សរ"],
  ["Burmese", "**ဗမာ။**စာ", "B(ဗမာ။)စာ"],
  ["Tibetan", "**བོད།**ཡིག", "B(བོད།)ཡིག"],
  ["Hindi", "**नोट:**यह ~~(पुराना)~~नया", "B(नोट:)यह S((पुराना))नया"],
  ["a Hebrew prefix", 'ב**"הארץ"** אמרו', 'בB("הארץ") אמרו'],
  ["an Arabic prefix", "و**«المهم»** هنا", "وB(«المهم») هنا"],
  ["digits of other scripts", "**ราคา:**๑๒๓", "B(ราคา:)๑๒๓"],
  ["underscores within words", "这_是_的 snake_case_name", "这_是_的 snake_case_name"],
  ["factors", "2*3*4 = 24", "2I(3)4 = 24"],
  ["a Latin label", "**Status:**ready", "**Status:**ready"],
  ["Latin quotes", '**"foo"**bar', '**"foo"**bar'],
  ["Latin brackets", "a**(b)**", "a**(b)**"],
  ["an address in a link", "[看https://a.bc，好](https://x.yz)", "L(看https://a.bc，好)"],
  [
    "an address in brackets",
    "（https://a.bc）和https://d.ef。",
    "（L(https://a.bc)）和L(https://d.ef)。",
  ],
  ["Latin letters with marks", 'e\u0301**"x"**e', 'e\u0301**"x"**e'],
  ["Cyrillic and Greek labels", "**Да:**нет **Ναι:**όχι", "**Да:**нет **Ναι:**όχι"],
  ["an address before wide punctuation", "看https://a.bc/d，谢谢", "看L(https://a.bc/d)，谢谢"],
  ["a bold address", "**https://a.bc**是", "B(L(https://a.bc))是"],
  [
    "an address of letters",
    "https://ja.wikipedia.org/wiki/日本",
    "L(https://ja.wikipedia.org/wiki/日本)",
  ],
];

describe("marks next to letters of any script", () => {
  it.each(cases)("%s", (_, markdown, expected) => {
    expect(shape(markdown)).toBe(expected);
  });

  it("are formatting in table cells, lists, quotes and headings", () => {
    for (const before of ["- ", "> ", "# ", "1. "])
      expect(shape(`${before}**注意：**正文`)).toBe("B(注意：)正文");
    expect(shape("| **注意：**正文 |\n|-|\n| ~~（旧）~~新 |")).toBe("B(注意：)正文S(（旧）)新");
  });

  const marked = cases.filter(
    ([, markdown, expected]) => /[BIS]\(/.test(expected) && !/\d\*/.test(markdown),
  );
  it.each(marked)("show none on any platform: %s", (_, markdown) => {
    const [telegram] = formatMarkdown(markdown);
    expect(telegram?.text).not.toMatch(/[*~`]/);
    expect(telegram?.markup).not.toEqual([]);
    expect(JSON.stringify(richBlocksOf(markdown))).not.toMatch(/[*~`]/);
    const discord = render(markdown).map(({ text }) => visibleText(text));
    expect(discord.join("")).not.toMatch(/[*~`\\]/);
    const terminal = [...markdownPieces(markdown, 200)].flatMap((lines) => lines ?? []);
    expect(JSON.stringify(terminal)).not.toMatch(/[*~`]/);
  });

  it("are strong around any word with any punctuation at its end or beginning", () => {
    const scripts = ["注", "の", "カー", "글", "ข้", "ລາ", "រ៖", "မာ", "नो", "م", "ה", "த"];
    const word = fc.constantFrom(...scripts);
    const outside = fc.constantFrom(...scripts, "x", "9");
    const mark = fc.constantFrom(...Array.from("：:。.！!)）」”\"'》…？"));
    fc.assert(
      fc.property(word, mark, outside, (inside, end, next) => {
        expect(shape(`**${inside}${end}**${next}`)).toBe(`B(${inside}${end})${next}`);
        expect(shape(`${next}**${end}${inside}**`)).toBe(`${next}B(${end}${inside})`);
      }),
    );
  });

  it("are those of CommonMark and GitHub where all letters are Latin, Greek or Cyrillic", () => {
    const scraps =
      '*|**|***|_|__|~~|~|a|b1|.|(|)|[|]|"|:| |é|e\u0301|—|“|”|Ж|λ|`|·|\n|https://a.bc|www.a.bc'.split(
        "|",
      );
    const text = fc.array(fc.constantFrom(...scraps), { maxLength: 16 }).map((all) => all.join(""));
    const common = {
      extensions: [gfm({ singleTilde: false })],
      mdastExtensions: [gfmFromMarkdown()],
    };
    fc.assert(
      fc.property(text, (markdown) => {
        const expected = fromMarkdown(markdown, common).children.map(write).join(" / ");
        expect(shape(markdown)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
