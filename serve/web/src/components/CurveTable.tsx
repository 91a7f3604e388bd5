import { duration, fixed, short } from "../numbers";
import { tableOf, type Quantity } from "../training/curves";
import type { RunLog } from "../training/log";

/** How many rows stand for a curve. */
const rows = 20;

/** The curves of a run in numbers, for those who do not see the charts. */
export function CurveTable({ name, log, shown }: { name: string; log: RunLog; shown: Quantity[] }) {
  const table = tableOf(log, shown, rows);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Curves of ${name}`}>
      <table class="table">
        <caption>{name}</caption>
        <thead>
          <tr>
            <th scope="col" class="right">
              Tokens
            </th>
            <th scope="col" class="right">
              Time
            </th>
            {shown.map((quantity) => (
              <th key={quantity.key} scope="col" class="right">
                {quantity.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.map((row) => (
            <tr key={row.tokens}>
              <th scope="row" class="right">
                {short(row.tokens)}
              </th>
              <td class="right">{duration(row.seconds)}</td>
              {row.values.map((value, i) => (
                <td key={shown[i]?.key} class="right">
                  {valueText(shown[i], value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A value of a quantity as people read it. */
export function valueText(quantity: Quantity | undefined, value: number | null): string {
  if (quantity?.key === "speed") return short(value);
  return fixed(value, quantity?.key === "rate" ? 4 : 3);
}
