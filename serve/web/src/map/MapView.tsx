/** The map. */
export function MapView() {
  return <section class="map" aria-label="Map of the words" />;
}
