import { describe, expect, it } from "vitest";
import { safeArea } from "../src/map/camera";
import { Room } from "../src/map/labels";
import { hiddenAt, placeChips } from "../src/map/outside";

const size = { width: 800, height: 600 };
const legend = { left: 10, right: 260, bottom: 300, top: 590 };
const status = { left: 10, right: 300, bottom: 10, top: 40 };

describe("the safe area", () => {
  it("is what nothing lies over", () => {
    expect(safeArea(size, [])).toEqual({ left: 0, bottom: 0, right: 800, top: 600 });
    expect(safeArea(size, [legend, status])).toEqual({ left: 260, bottom: 40, right: 800, top: 600 });
    const covered = { left: -10, right: 900, bottom: -5, top: 700 };
    expect(safeArea(size, [covered])).toEqual({ left: 0, bottom: 0, right: 800, top: 600 });
  });
});

describe("marks of what is outside", () => {
  it("are for what is off the screen, or under a panel", () => {
    expect(hiddenAt(400, 300, size, [legend])).toBe(false);
    expect(hiddenAt(100, 400, size, [legend])).toBe(true);
    expect(hiddenAt(-1, 300, size, [])).toBe(true);
    expect(hiddenAt(400, 601, size, [])).toBe(true);
  });

  const safe = safeArea(size, [legend, status]);
  const place = (all: { word: string; x: number; y: number }[]) => placeChips(all.map((s) => ({ ...s, value: "0.70" })), safe, new Room(), (text) => 7 * text.length, 15);

  it.each([
    [2000, 320, "paris → 0.70"],
    [1270, -420, "paris ↗ 0.70"],
    [530, -900, "paris ↑ 0.70"],
    [-200, 320, "paris ← 0.70"],
    [-200, 1060, "paris ↙ 0.70"],
  ])("point to where it is: %i, %i", (x, y, text) => {
    const [chip] = place([{ word: "paris", x, y }]);
    expect(chip?.text).toBe(text);
  });

  it("lie in the safe area, beside each other, and each has one", () => {
    const all = Array.from({ length: 40 }, (_, i) => ({ word: `word${i}`, x: -500 - i, y: 300 + i }));
    const chips = place(all);
    expect(chips.length).toBe(40);
    chips.forEach((chip, i) => {
      expect(chip.x - chip.width / 2).toBeGreaterThanOrEqual(safe.left);
      expect(chip.y + chip.height / 2).toBeLessThanOrEqual(safe.top);
      expect(chip.y - chip.height / 2).toBeGreaterThanOrEqual(safe.bottom);
      for (const other of chips.slice(0, i)) {
        expect(Math.abs(chip.x - other.x) >= (chip.width + other.width) / 2 || Math.abs(chip.y - other.y) >= chip.height).toBe(true);
      }
    });
  });

  it("are there without room for them", () => {
    const full = new Room();
    full.keep({ left: 0, right: 800, bottom: 0, top: 600 });
    const all = Array.from({ length: 12 }, (_, i) => ({ word: `word${i}`, value: "0.70", x: -100, y: 90 * i }));
    const chips = placeChips(all, { left: 10, bottom: 10, right: 120, top: 60 }, full, (text) => 7 * text.length, 15);
    expect(chips.map((chip) => chip.sought.word)).toEqual(all.map(({ word }) => word));
  });

  it("cut long words", () => {
    expect(place([{ word: "x".repeat(3000), x: 2000, y: 320 }])[0]?.text.length).toBeLessThan(40);
  });
});
