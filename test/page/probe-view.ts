import { html } from "../../src/page/html.ts";
import type { View } from "../../src/page/view.ts";

/** A view to try the page's frame with, in the place of Now: it counts what is done to it. */
export function probeView() {
  const probe = {
    text: "first",
    /** How often its action was carried out. */
    acted: 0,
    reads: 0,
    problem: undefined as Error | undefined,
  };
  const view: View = {
    name: "now",
    path: "/",
    isInMenu: true,
    isLive: () => true,
    read: ({ viewer, query }) => {
      probe.reads += 1;
      if (probe.problem) return Promise.reject(probe.problem);
      if (query["which"] === "none") return Promise.resolve(undefined);
      return Promise.resolve(html`<p>${probe.text} ${viewer.role} ${query["q"]}</p>`);
    },
    actions: {
      act: ({ to = "/", problem }) => {
        if (problem !== undefined) return Promise.resolve({ problem });
        probe.acted += 1;
        return Promise.resolve({ to, done: "stopped" });
      },
    },
  };
  return { probe, view };
}
