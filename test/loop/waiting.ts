import { expect } from "vitest";
import type { Step } from "../emulators/model/step.ts";
import type { Scene } from "./scene.ts";

/** "buy it" is said, and the turn asks for what the model's steps call, and waits for a person. */
export async function waiting(scene: Scene, ...steps: readonly [Step, ...Step[]]): Promise<void> {
  scene.model.reply(...steps);
  await scene.say("buy it");
  expect(await scene.settle()).toEqual({ type: "done" });
  expect((await scene.state())?.phase).toBe("waiting");
}
