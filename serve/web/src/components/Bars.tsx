/** A histogram whose heights are logarithmic. The bars that within says have the colour. */
export function Bars({ sizes, within, label }: { sizes: number[]; within: (bar: number) => boolean; label?: string }) {
  const most = Math.log1p(Math.max(0, ...sizes));
  const named = label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": "true" } as const);
  return (
    <svg class="histogram" viewBox={`0 0 ${sizes.length} 24`} preserveAspectRatio="none" focusable="false" {...named}>
      {sizes.map((size, i) => {
        const height = size === 0 || most === 0 ? 0 : Math.max(1, (24 * Math.log1p(size)) / most);
        return <rect key={i} class={within(i) ? "in" : ""} x={i + 0.08} y={24 - height} width={0.84} height={height} />;
      })}
    </svg>
  );
}
