// Marks at the edge of the map for what was asked for and lies outside of the view.

import type { Box } from "./camera";
import { labelBox, Room, type Label } from "./labels";

/** Something that was asked for, and where it is in pixels. */
export interface Sought {
  word: string;
  /** What is written behind the arrow; empty for nothing. */
  value: string;
  x: number;
  y: number;
}

/** A mark of it: a press flies there. */
export interface Chip extends Label {
  sought: Sought;
}

const arrows = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];
/** The most characters of a word in a mark. */
const longest = 24;
const padding = { x: 7, y: 3 };

/** Whether something is out of the view: beyond the screen, or under what lies over the map. */
export function hiddenAt(x: number, y: number, size: { width: number; height: number }, covered: Box[]): boolean {
  if (x < 0 || y < 0 || x > size.width || y > size.height) return true;
  return covered.some((box) => x > box.left && x < box.right && y > box.bottom && y < box.top);
}

/** Places a mark for each, where the line from the middle of the safe area to it leaves that area, or beside. Where there is no room
 * for it, it lies over dots, and in the smallest views over other marks: none is missing. */
export function placeChips(all: Sought[], safe: Box, room: Room, measure: (text: string) => number, lineHeight: number): Chip[] {
  const [cx, cy] = [(safe.left + safe.right) / 2, (safe.bottom + safe.top) / 2];
  const height = lineHeight + 2 * padding.y;
  const marks = new Room();
  return all.map((sought) => {
    const [dx, dy] = [sought.x - cx, sought.y - cy];
    const arrow = arrows[(Math.round(Math.atan2(-dy, dx) / (Math.PI / 4)) + 8) % 8] ?? "";
    const word = sought.word.length > longest ? `${sought.word.slice(0, longest - 1)}…` : sought.word;
    const text = [word, arrow, sought.value].filter(Boolean).join(" ");
    const width = measure(text) + 2 * padding.x;
    // The places that the middle of the mark may have.
    const [w, h] = [Math.max(0, (safe.right - safe.left - width) / 2 - 6), Math.max(0, (safe.top - safe.bottom - height) / 2 - 6)];
    const share = Math.min(w / Math.max(1e-9, Math.abs(dx)), h / Math.max(1e-9, Math.abs(dy)));
    const [x0, y0] = [cx + share * dx, cy + share * dy];
    const vertical = Math.abs(Math.abs(x0 - cx) - w) < 0.5;
    const within = (value: number, middle: number, half: number) => Math.min(middle + half, Math.max(middle - half, value));
    // Beside the first place along the edge, then in further rows.
    const place = (taken: Room): Chip | undefined => {
      for (let row = 0; row < 6; row++) {
        for (let i = 0; i < 60; i++) {
          const by = (i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * (height + 2);
          const inwards = row * (vertical ? width + 4 : height + 2);
          const x = vertical ? x0 - Math.sign(dx) * inwards : within(x0 + 2 * by, cx, w);
          const y = vertical ? within(y0 + by, cy, h) : y0 - Math.sign(dy) * inwards;
          const chip = { sought, text, x: within(x, cx, w), y: within(y, cy, h), width, height };
          if (taken.take(labelBox(chip, 1))) return chip;
        }
      }
      return undefined;
    };
    const chip = place(room) ?? place(marks) ?? { sought, text, x: x0, y: y0, width, height };
    room.keep(labelBox(chip, 1));
    marks.keep(labelBox(chip, 1));
    return chip;
  });
}
