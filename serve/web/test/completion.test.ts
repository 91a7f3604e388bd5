import { describe, expect, it } from "vitest";
import { parseQuery } from "../src/app/actions";
import { complete, lastTerm } from "../src/app/completion";

const words = ["the", "king", "Kind", "making", "kings", "kin"];
const vocabulary = { words, counts: null, language: "", ids: new Map(words.map((word, id) => [word, id])) };

describe("completion", () => {
  it.each([
    ["ki", 9, ["king", "Kind", "kings", "kin", "making"]],
    ["KI", 2, ["king", "Kind"]],
    ["kin", 9, ["kin", "king", "Kind", "kings", "making"]],
    ["", 9, []],
    ["zz", 9, []],
  ])("of %j", (text, limit, want) => {
    expect(complete(vocabulary, text, limit)).toEqual(want);
  });

  it("is by the rules of a language", () => {
    const turkish = { ...vocabulary, words: ["\u0131\u015f\u0131k", "iyi"], ids: new Map(), language: "tr" };
    expect(complete(turkish, "I", 9)).toEqual(["\u0131\u015f\u0131k"]);
    expect(complete(turkish, "\u0130Y", 9)).toEqual(["iyi"]);
  });

  it.each([
    ["king - man + wo", "king - man + ", "wo"],
    ["ki", "", "ki"],
    ["well-known", "", "well-known"],
  ])("of the last term of %j", (text, before, term) => {
    expect(lastTerm(text)).toEqual({ before, term });
  });
});

it.each([
  ["king", { text: "king", expression: false }],
  [" king - man + woman ", { text: "king - man + woman", expression: true }],
  ["x - y", { text: "x - y", expression: false }],
  ["well-known", { text: "well-known", expression: false }],
  ["  ", null],
])("%j is asked for as %j", (text, want) => {
  expect(parseQuery(text, (word) => word === "x - y")).toEqual(want);
});
