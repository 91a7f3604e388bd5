// What the pointer does on the map besides moving the camera: pointing, picking and the lasso.

interface GestureEvents {
  /** The pointer is over a place, in pixels; null when it has left. */
  point: (place: [number, number] | null) => void;
  /** A click or tap. */
  pick: (place: [number, number], touch: boolean) => void;
  /** The lasso while it is drawn, as x0, y0, … in pixels. */
  lasso: (path: number[]) => void;
  lassoEnd: (path: number[], cancelled: boolean) => void;
  /** A press that moves, by pixels since the last time. */
  drag: (dx: number, dy: number) => void;
  /** Two fingers that spread by a zoom around a place, and move by pixels. */
  pinch: (place: [number, number], zoom: number, dx: number, dy: number) => void;
  /** A turn of the wheel at a place. */
  wheel: (place: [number, number], turn: number) => void;
}

/** A press that moves less than this many pixels is a click. */
const still = 6;
/** The lasso has a corner each so many pixels. */
const corner = 3;

export class Gestures {
  /** Whether a press draws a lasso, as it does with the Shift key. */
  lassoTool = false;
  private pressed: { x: number; y: number } | null = null;
  private dragged: { x: number; y: number } | null = null;
  private path: number[] | null = null;
  /** Where fingers are, by the ids of their pointers. */
  private readonly fingers = new Map<number, [number, number]>();
  private readonly off = new AbortController();

  constructor(
    private readonly element: HTMLElement,
    private readonly events: GestureEvents,
  ) {
    const options = { capture: true, signal: this.off.signal };
    element.addEventListener("pointerdown", (event) => this.down(event), options);
    element.addEventListener("pointermove", (event) => this.move(event), options);
    element.addEventListener("pointerup", (event) => this.up(event), options);
    element.addEventListener("pointercancel", (event) => this.cancel(event), options);
    element.addEventListener("pointerleave", () => events.point(null), { signal: this.off.signal });
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal: this.off.signal });
    // deck.gl listens to these where pointer events are not all it wants.
    for (const type of ["mousedown", "touchstart"] as const) {
      element.addEventListener(type, (event) => this.path && event.stopPropagation(), options);
    }
  }

  destroy(): void {
    this.off.abort();
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    // Buttons on the map are not the map.
    if (!(event.target instanceof HTMLCanvasElement) || event.button !== 0) return;
    const [x, y] = this.place(event);
    if (event.pointerType === "touch") this.fingers.set(event.pointerId, [x, y]);
    if (!event.isPrimary) {
      this.pressed = null;
      this.dragged = null;
      return;
    }
    if (this.lassoTool || event.shiftKey) {
      // The camera must not see this press.
      event.stopPropagation();
      event.preventDefault();
      this.element.setPointerCapture(event.pointerId);
      this.path = [x, y];
      this.events.point(null);
      return;
    }
    this.pressed = { x, y };
    this.dragged = { x, y };
  }

  private move(event: PointerEvent): void {
    const [x, y] = this.place(event);
    if (this.path) {
      event.stopPropagation();
      const [lastX = 0, lastY = 0] = this.path.slice(-2);
      if (Math.hypot(x - lastX, y - lastY) >= corner) this.path.push(x, y);
      this.events.lasso(this.path);
      return;
    }
    if (this.fingers.has(event.pointerId)) {
      const before = span([...this.fingers.values()]);
      this.fingers.set(event.pointerId, [x, y]);
      const after = span([...this.fingers.values()]);
      if (before && after) return this.events.pinch(after.middle, Math.log2(after.length / before.length), after.middle[0] - before.middle[0], after.middle[1] - before.middle[1]);
    }
    if (this.dragged && event.isPrimary) {
      this.events.drag(x - this.dragged.x, y - this.dragged.y);
      this.dragged = { x, y };
    }
    if (this.pressed && Math.hypot(x - this.pressed.x, y - this.pressed.y) > still) this.pressed = null;
    if (event.pointerType === "mouse" && event.buttons === 0) this.events.point(event.target instanceof HTMLCanvasElement ? [x, y] : null);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.path) {
      event.stopPropagation();
      const path = this.path;
      this.path = null;
      this.events.lassoEnd(path, false);
      return;
    }
    const pressed = this.pressed;
    this.pressed = null;
    this.dragged = null;
    if (pressed && event.isPrimary && event.target instanceof HTMLCanvasElement) this.events.pick(this.place(event), event.pointerType !== "mouse");
  }

  private cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.pressed = null;
    this.dragged = null;
    if (!this.path) return;
    event.stopPropagation();
    this.path = null;
    this.events.lassoEnd([], true);
  }

  private wheel(event: WheelEvent): void {
    if (!(event.target instanceof HTMLCanvasElement)) return;
    event.preventDefault();
    const box = this.element.getBoundingClientRect();
    this.events.wheel([event.clientX - box.left, event.clientY - box.top], event.deltaY);
  }

  /** Drops a lasso that is being drawn; false if there is none. */
  dropLasso(): boolean {
    if (!this.path) return false;
    this.path = null;
    this.events.lassoEnd([], true);
    return true;
  }
}

/** How far two fingers are from each other, and the place between them; null for fewer or more. */
function span(fingers: [number, number][]): { length: number; middle: [number, number] } | null {
  const [a, b] = fingers;
  if (fingers.length !== 2 || !a || !b) return null;
  return { length: Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1])), middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
}
