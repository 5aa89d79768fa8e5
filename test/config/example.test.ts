import { describe, expect, it } from "vitest";
import { fileSchema } from "../../src/config/file.ts";
import { read } from "../support/shown-by.ts";
import { load } from "./support.ts";

const example = read("parley.example.yaml");
/** Every setting switched on: what follows a "#" without a blank. */
const switchedOn = example.replaceAll(/^#(?=\S)/gm, "").replaceAll(/^#(?= {2,}\S)/gm, "");
const keys = { OPENAI_API_KEY: "sk-x", OPENROUTER_API_KEY: "sk-y", TICKETS_TOKEN: "t" };

describe("parley.example.yaml", () => {
  it("changes nothing as it is", () => {
    const {
      dataFolder: _,
      configFile: __,
      skills: _s,
      personas,
      ...settings
    } = load({
      yaml: example,
    });
    const { dataFolder: ___, configFile: ____, skills: _t, personas: usual, ...defaults } = load();
    expect(settings).toEqual(defaults);
    expect(personas.usual).toBe(usual.usual);
  });

  it("can be used with every setting switched on", () => {
    const settings = load({ yaml: switchedOn, environment: keys });
    expect(settings.models.tiers.balanced.models).toHaveLength(2);
    expect(Object.keys(settings.mcpServers)).toEqual(["files", "tickets"]);
    expect(settings.toolRules).toHaveLength(3);
    expect(settings.webSearch).toEqual({ provider: "searxng", url: "http://127.0.0.1:8888" });
  });

  it("shows every section", () => {
    const shown = [...switchedOn.matchAll(/^([a-zA-Z]+):/gm)].map(([, section = ""]) => section);
    expect(shown.toSorted()).toEqual(Object.keys(fileSchema.shape).toSorted());
  });
});
