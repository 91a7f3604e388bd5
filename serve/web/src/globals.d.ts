import type { ContourMultiPolygon } from "d3-contour";

declare global {
  /** Whether the page shows generated data: only in the development server, without W2V_SERVER. */
  const __MOCK__: boolean;
}

declare module "d3-contour" {
  // The types of the package lack this method of it.
  interface ContourDensity<Datum> {
    contours(data: Iterable<Datum>): ((value: number) => ContourMultiPolygon) & { max: number };
  }
}
