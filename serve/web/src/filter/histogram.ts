// The slider of frequency: which place is which number of words, and how many words there are at each place.

/** The fewest words that the slider leaves. */
export const fewest = 100;

/** Places of the slider from 0, the fewest words, to 1, all of them. */
export interface Scale {
  /** How many first words a place leaves. */
  words(place: number): number;
  place(words: number): number;
  /** How many words there are in equal parts of the slider, from its left end; null if that says nothing. */
  bars: number[] | null;
}

/** The scale of a vocabulary: by the logarithm of counts, or by that of ranks where there are no counts. */
export function scaleOf(all: number, counts: Float64Array | null, bars: number): Scale {
  const low = Math.log(Math.max(1, counts?.[all - 1] ?? 1));
  const high = Math.log(Math.max(1, counts?.[Math.min(fewest, all) - 1] ?? 1));
  if (!counts || high - low < 1e-9) {
    const range = Math.log(all / fewest);
    return {
      words: (place) => Math.min(all, Math.round(fewest * Math.exp(range * place))),
      place: (words) => Math.log(Math.max(1, words / fewest)) / range,
      bars: null,
    };
  }
  const placeOf = (i: number) => Math.min(1, Math.max(0, (high - Math.log(Math.max(1, counts[i] ?? 1))) / (high - low)));
  const sizes = new Array<number>(bars).fill(0);
  for (let i = 0; i < all; i++) {
    const bar = Math.min(bars - 1, Math.floor(bars * placeOf(i)));
    sizes[bar] = (sizes[bar] ?? 0) + 1;
  }
  return {
    // Counts fall: the last word that was seen as often as the place says.
    words: (place) => {
      const least = Math.exp(high - (high - low) * place) * (1 - 1e-9);
      let [from, to] = [Math.min(fewest, all), all];
      while (from < to) {
        const middle = (from + to + 1) >> 1;
        if ((counts[middle - 1] ?? 0) >= least) from = middle;
        else to = middle - 1;
      }
      return from;
    },
    place: (words) => placeOf(words - 1),
    bars: sizes,
  };
}
