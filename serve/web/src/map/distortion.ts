/** The points nearest to another one on a map, the nearest first. Only the first ones count, 0 being all of them, and of these the ones that are left. */
export function nearestOnMap(points: Float32Array, id: number, k: number, first: number, left: Uint8Array | null = null): number[] {
  const n = first > 0 ? Math.min(first, points.length / 2) : points.length / 2;
  const [x, y] = [points[2 * id] ?? 0, points[2 * id + 1] ?? 0];
  const found: { id: number; distance: number }[] = [];
  for (let i = 0; i < n; i++) {
    if (i === id || left?.[i] === 0) continue;
    const distance = ((points[2 * i] ?? 0) - x) ** 2 + ((points[2 * i + 1] ?? 0) - y) ** 2;
    if (found.length >= k && distance >= (found[found.length - 1]?.distance ?? Infinity)) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1]?.distance ?? 0) > distance) at--;
    found.splice(at, 0, { id: i, distance });
    if (found.length > k) found.pop();
  }
  return found.map((f) => f.id);
}
