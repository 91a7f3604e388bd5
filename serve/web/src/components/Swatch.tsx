/** How many series have a colour of their own. */
const seriesColors = 6;

const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** The dashes of a series, so that lines differ by more than their colours. */
export function dashOf(series: number): number[] {
  return dashes[series % dashes.length] ?? [];
}

/** The class that gives an element and what is in it the colour of a series. */
export function seriesClass(series: number): string {
  return `series-${series % seriesColors}`;
}

/** A sample of a series' line. */
export function Swatch({ series }: { series: number }) {
  return (
    <svg class={`swatch ${seriesClass(series)}`} viewBox="0 0 22 10" aria-hidden="true" focusable="false">
      <path d="M0 5h22" stroke-dasharray={dashOf(series).join(" ")} />
    </svg>
  );
}
