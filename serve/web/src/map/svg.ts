// A drawing context that writes SVG: what the overlay draws on its canvas, for pictures that can be enlarged.

type Style = string | CanvasGradient | CanvasPattern;

const escaped: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const safe = (text: string) => text.replace(/[&<>"]/g, (c) => escaped[c] ?? c);
const short = (x: number) => String(Math.round(100 * x) / 100);

/** The part of CanvasRenderingContext2D that the overlay uses. */
export class SvgContext {
  fillStyle: Style = "#000";
  strokeStyle: Style = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  lineJoin = "round";
  lineCap = "round";
  textAlign = "center";
  textBaseline = "middle";
  private dash: number[] = [];
  private path: string[] = [];
  private readonly elements: string[] = [];

  constructor(private readonly measuring: CanvasRenderingContext2D) {}

  setTransform(): void {}
  clearRect(): void {}

  measureText(text: string): TextMetrics {
    this.measuring.font = this.font;
    return this.measuring.measureText(text);
  }

  setLineDash(dash: number[]): void {
    this.dash = dash;
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`${this.path.length === 0 ? "M" : "L"}${short(x)} ${short(y)}`);
  }

  closePath(): void {
    this.path.push("Z");
  }

  /** Whole circles only. */
  arc(x: number, y: number, r: number): void {
    this.path.push(`M${short(x - r)} ${short(y)}a${short(r)} ${short(r)} 0 1 0 ${short(2 * r)} 0a${short(r)} ${short(r)} 0 1 0 ${short(-2 * r)} 0Z`);
  }

  roundRect(x: number, y: number, width: number, height: number, r: number): void {
    this.path.push(`M${short(x + r)} ${short(y)}h${short(width - 2 * r)}a${r} ${r} 0 0 1 ${r} ${r}v${short(height - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${r}h${short(2 * r - width)}a${r} ${r} 0 0 1 ${-r} ${-r}v${short(2 * r - height)}a${r} ${r} 0 0 1 ${r} ${-r}Z`);
  }

  fill(): void {
    this.elements.push(`<path d="${this.path.join("")}" fill="${safe(String(this.fillStyle))}"${this.opacity()}/>`);
  }

  stroke(): void {
    this.elements.push(`<path d="${this.path.join("")}" fill="none" ${this.pen()}${this.opacity()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.elements.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${safe(String(this.fillStyle))}"${this.opacity()}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.elements.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="none" ${this.pen()}${this.opacity()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    this.elements.push(this.text(text, x, y, `fill="${safe(String(this.fillStyle))}"`));
  }

  strokeText(text: string, x: number, y: number): void {
    this.elements.push(this.text(text, x, y, `fill="none" ${this.pen()}`));
  }

  private text(text: string, x: number, y: number, how: string): string {
    // Attributes, and no style, which the policy of a page that shows the picture may forbid.
    const [, weight = "400", size = "12", family = "sans-serif"] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [];
    return `<text x="${short(x)}" y="${short(y)}" text-anchor="middle" dominant-baseline="central" font-weight="${weight}" font-size="${size}" font-family="${safe(family)}" ${how}${this.opacity()}>${safe(text)}</text>`;
  }

  private pen(): string {
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    return `stroke="${safe(String(this.strokeStyle))}" stroke-width="${short(this.lineWidth)}" stroke-linejoin="round" stroke-linecap="round"${dash}`;
  }

  private opacity(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${short(this.globalAlpha)}"`;
  }

  /** The picture of what was drawn, on a ground. */
  toString(width: number, height: number, ground: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${safe(ground)}"/>${this.elements.join("\n")}</svg>\n`;
  }
}
