import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestMessage } from "../../src/core/model.ts";
import { fitRequest } from "../../src/models/fit.ts";
import { withVisibleImages } from "../../src/models/images.ts";
import { card, request, tools } from "./helpers.ts";
import { cards, requests } from "./request-arbitrary.ts";

const image = { mediaType: "image/png", data: "aGVsbG8=" };
const hidden = "[image: not visible to this model]";

describe("images in a request", () => {
  it.each<[string, RequestMessage, RequestMessage, number]>([
    [
      "beside a text",
      { role: "user", text: "Look", images: [image, image] },
      { role: "user", text: `Look\n${hidden}\n${hidden}` },
      2,
    ],
    ["alone", { role: "user", text: "", images: [image] }, { role: "user", text: hidden }, 1],
    ["none", { role: "user", text: "Hi", images: [] }, { role: "user", text: "Hi", images: [] }, 0],
  ])("are words to a model without vision: %s", (_, given, seen, count) => {
    expect(withVisibleImages([given], card)).toEqual({
      messages: [seen],
      hidden: count,
    });
  });

  it("are seen by a model with vision, if any vendor reads their type", () => {
    const drawing = { mediaType: "image/svg+xml", data: "aGVsbG8=" };
    const able = { ...card, vision: true };
    const given: RequestMessage = {
      role: "user",
      text: "",
      images: [image, drawing],
    };
    expect(withVisibleImages([given], able)).toEqual({
      messages: [{ role: "user", text: hidden, images: [image] }],
      hidden: 1,
    });
  });
});

describe("a request made to fit", () => {
  it("says what it leaves out", () => {
    const unable = { ...card, tools: false };
    const asked = request([{ role: "user", text: "", images: [image] }], {
      tools,
    });
    expect(fitRequest(asked, unable)).toMatchObject({
      request: { tools: [] },
      omissions: [
        { what: "images", count: 1 },
        { what: "tools", count: 3 },
      ],
    });
    expect(fitRequest(asked, { ...card, vision: true }).omissions).toEqual([]);
  });

  it("fits as it is", () => {
    fc.assert(
      fc.property(requests, cards, (given, able) => {
        const once = fitRequest(given, able);
        const twice = fitRequest(once.request, able);
        expect(twice).toEqual({ request: once.request, omissions: [] });
      }),
    );
  });
});
