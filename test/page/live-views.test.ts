import type { Readable } from "node:stream";
import pino from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LiveViews, type LiveView } from "../../src/page/live-views.ts";

function open() {
  const lines: string[] = [];
  const live = new LiveViews({
    intervalMs: 20,
    log: pino({ level: "warn" }, { write: (line: string) => lines.push(line) }),
  });
  onTestFinished(() => live[Symbol.dispose]());
  return { live, lines };
}

/** A stream as its browser reads it. */
function reader(body: Readable | undefined) {
  if (body === undefined) throw new Error("refused");
  const read = { text: "", isOver: false };
  body.on("data", (chunk: Buffer) => {
    read.text += chunk.toString();
  });
  body.on("end", () => {
    read.isOver = true;
  });
  return Object.assign(read, { close: () => body.destroy() });
}

const events = ({ text }: { readonly text: string }) => text.split("\n\n").slice(0, -1);

function viewOf(sessionId: string, name = "/") {
  const state = {
    markup: "one" as string | undefined,
    isLast: false,
    renders: 0,
    problem: false,
  };
  const view: LiveView = {
    sessionId,
    name,
    render: () => {
      state.renders += 1;
      if (state.problem) return Promise.reject(new Error("away"));
      const { markup, isLast } = state;
      return Promise.resolve(markup === undefined ? undefined : { markup, isLast });
    },
  };
  return { view, state };
}

describe("a live view", () => {
  it("begins with what is shown, and is sent again when it has changed", async () => {
    const { live } = open();
    const { view, state } = viewOf("s");
    const browser = reader(live.open(view));
    await vi.waitFor(() => expect(events(browser)).toEqual(["data: one"]));
    await vi.waitFor(() => expect(state.renders).toBeGreaterThan(2));
    expect(events(browser)).toEqual(["data: one"]);
    state.markup = "two\nlines\r\nof it";
    await vi.waitFor(() => expect(events(browser)[1]).toBe("data: two\ndata: lines\ndata: of it"));
  });

  it("is rendered once for all tabs of a browser, and no more when they are closed", async () => {
    const { live } = open();
    const { view, state } = viewOf("s");
    const tabs = [reader(live.open(view)), reader(live.open(view)), reader(live.open(view))];
    await vi.waitFor(() => {
      for (const tab of tabs) expect(events(tab)).toEqual(["data: one"]);
    });
    const other = viewOf("s", "/other");
    const seen = state.renders;
    reader(live.open(other.view));
    await vi.waitFor(() => expect(other.state.renders).toBeGreaterThan(3));
    expect(state.renders - seen).toBeLessThanOrEqual(other.state.renders + 1);
    for (const tab of tabs) tab.close();
    const at = other.state.renders;
    await vi.waitFor(() => expect(other.state.renders).toBeGreaterThan(at + 1));
    const ended = state.renders;
    await vi.waitFor(() => expect(other.state.renders).toBeGreaterThan(at + 3));
    expect(state.renders).toBe(ended);
  });

  it("ends with its session, and the browser reads why", async () => {
    const { live } = open();
    const { view, state } = viewOf("s");
    const browser = reader(live.open(view));
    await vi.waitFor(() => expect(events(browser)).toHaveLength(1));
    state.markup = undefined;
    await vi.waitFor(() => expect(browser.isOver).toBe(true));
    expect(events(browser).at(-1)).toBe("event: parley:ended\ndata: session");
  });

  it("ends with its last rendering, which every browser gets, and isn't rendered again", async () => {
    const { live } = open();
    const { view, state } = viewOf("s");
    const [browser, other] = [reader(live.open(view)), reader(live.open(view))];
    // It takes nothing.
    const slow = live.open(view);
    await vi.waitFor(() => expect(events(browser)).toHaveLength(1));
    Object.assign(state, { markup: "two", isLast: true });
    await vi.waitFor(() => expect([browser.isOver, other.isOver]).toEqual([true, true]));
    const all = ["data: one", "data: two", "event: parley:ended\ndata: view"];
    expect([events(browser), events(other)]).toEqual([all, all]);
    const last = reader(slow);
    await vi.waitFor(() => expect(events(last)).toEqual(all));
    const { renders } = state;
    // One that comes later gets it too.
    const late = reader(live.open(view));
    await vi.waitFor(() => expect(late.isOver).toBe(true));
    expect([events(late), state.renders]).toEqual([all.slice(1), renders + 1]);
  });

  it("stays as it was while it can't be read", async () => {
    const { live, lines } = open();
    const { view, state } = viewOf("s");
    const browser = reader(live.open(view));
    await vi.waitFor(() => expect(events(browser)).toHaveLength(1));
    state.problem = true;
    await vi.waitFor(() => expect(lines.join("")).toContain("away"));
    state.problem = false;
    state.markup = "again";
    await vi.waitFor(() => expect(events(browser).at(-1)).toBe("data: again"));
  });

  it("is one of six of a session and of a hundred", () => {
    const { live } = open();
    const first = Array.from({ length: 7 }, () => live.open(viewOf("s").view));
    expect(first.map((body) => body !== undefined)).toEqual([...Array(6).fill(true), false]);
    for (let session = 0; session < 94; session += 1)
      expect(live.open(viewOf(`${session}`).view)).toBeDefined();
    expect(live.open(viewOf("more").view)).toBeUndefined();
  });

  it("has room again when one was closed", async () => {
    const { live } = open();
    const bodies = Array.from({ length: 6 }, () => live.open(viewOf("s").view));
    bodies[0]?.destroy();
    await vi.waitFor(() => expect(live.open(viewOf("s").view)).toBeDefined());
  });

  it("ends with the process", async () => {
    const { live } = open();
    const browser = reader(live.open(viewOf("s").view));
    await vi.waitFor(() => expect(events(browser)).toHaveLength(1));
    live[Symbol.dispose]();
    await vi.waitFor(() => expect(browser.isOver).toBe(true));
    expect(live.open(viewOf("s").view)).toBeUndefined();
  });
});
