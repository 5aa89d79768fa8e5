import { expect, it } from "vitest";
import { UpdateWindow } from "../../../src/bots/telegram/receive/update-window.ts";

it("is full with as many updates as Telegram shows at a time, until the first of them are confirmed", () => {
  const window = new UpdateWindow();
  for (let id = 1; id <= 99; id += 1) window.add(id);
  expect(window.isFull).toBe(false);
  window.add(100);
  expect(window.isFull).toBe(true);
  // One that was taken behind one that was not is still shown.
  window.accept(2);
  window.forget(window.confirmable);
  expect(window.isFull).toBe(true);
  window.accept(1);
  window.forget(window.confirmable);
  expect(window.isFull).toBe(false);
});
