import { describe, expect, it } from "vitest";
import { Gestures } from "../src/map/gestures";

describe("two fingers", () => {
  const element = document.createElement("div");
  const canvas = element.appendChild(document.createElement("canvas"));
  document.body.append(element);
  const seen: { pinch: [[number, number], number, number, number][]; drag: [number, number][]; picks: number } = { pinch: [], drag: [], picks: 0 };
  new Gestures(element, {
    point: () => undefined,
    pick: () => seen.picks++,
    lasso: () => undefined,
    lassoEnd: () => undefined,
    drag: (dx, dy) => seen.drag.push([dx, dy]),
    pinch: (...args) => seen.pinch.push(args),
    wheel: () => undefined,
  });
  const touch = (type: string, pointerId: number, clientX: number, clientY: number) =>
    canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId, pointerType: "touch", isPrimary: pointerId === 1, clientX, clientY, button: 0 }));

  it("zoom around the place between them, and neither drag nor pick", () => {
    touch("pointerdown", 1, 100, 100);
    touch("pointerdown", 2, 200, 100);
    touch("pointermove", 2, 300, 100);
    expect(seen.pinch).toEqual([[[200, 100], 1, 50, 0]]);
    touch("pointermove", 1, 100, 120);
    touch("pointerup", 2, 300, 100);
    touch("pointerup", 1, 100, 120);
    expect(seen.drag).toEqual([]);
    expect(seen.picks).toBe(0);
  });

  it("are followed by one that drags and picks as before", () => {
    touch("pointerdown", 1, 10, 10);
    touch("pointermove", 1, 12, 10);
    touch("pointerup", 1, 12, 10);
    expect(seen.drag).toEqual([[2, 0]]);
    expect(seen.picks).toBe(1);
    expect(seen.pinch.length).toBe(2);
  });
});
