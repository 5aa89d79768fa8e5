import { expect, it } from "vitest";
import { roundTripsOf, type AskedCommand } from "./round-trips.ts";
import { RespReader } from "./resp.ts";

const wire = Buffer.from(
  [
    "*3\r\n$3\r\nSET\r\n$4\r\nä\r\n\r\n$0\r\n\r\n",
    "+OK\r\n",
    ":-7\r\n",
    "-ERR no\r\n",
    "$-1\r\n",
    "*-1\r\n",
    "_\r\n",
    "%1\r\n$1\r\na\r\n*2\r\n$1\r\nb\r\n:1\r\n",
    ">2\r\n$7\r\nmessage\r\n$1\r\nx\r\n",
  ].join(""),
);
const values = [
  ["*", "SET", "ä\r\n", ""],
  ["+", "OK"],
  [":", "-7"],
  ["-", "ERR no"],
  ["$"],
  ["*"],
  ["_"],
  ["%", "a"],
  [">", "message", "x"],
];

it("values are read as they are, wherever the network cuts them", () => {
  for (let size = 1; size <= wire.length; size += 1) {
    const reader = new RespReader();
    const read = [];
    for (let at = 0; at < wire.length; at += size)
      read.push(...reader.read(wire.subarray(at, at + size)));
    expect(read.map(({ type, texts }) => [type, ...texts])).toEqual(values);
    expect(read.reduce((sum, each) => sum + each.size, 0)).toBe(wire.length);
  }
});

it("what is no RESP is refused", () => {
  expect(() => new RespReader().read(Buffer.from("GET x\r\n"))).toThrow("no RESP");
});

const command = (name: string, writtenAt: number, at?: number): AskedCommand => ({
  connection: 1,
  name,
  parts: [],
  writtenAt,
  ...(at === undefined ? {} : { reply: { at, isEmpty: false } }),
});

it("a round trip begins with what is written while nothing is unanswered", () => {
  const commands = [
    command("first", 1, 4),
    command("with it", 2, 5),
    command("still", 3, 6),
    command("second", 7, 8),
    command("third", 9),
    command("never answered", 10, 11),
  ];
  expect(roundTripsOf(commands).map((roundTrip) => roundTrip.map(({ name }) => name))).toEqual([
    ["first", "with it", "still"],
    ["second"],
    ["third", "never answered"],
  ]);
});
