import type { Term } from "./vectors";

/** The lower case of a text as the model's words have it: by the rules of a language, or letter by letter. */
export function lowered(text: string, language = ""): string {
  if (language !== "") return text.toLocaleLowerCase(language);
  return Array.from(text, (letter) => (letter === "\u0130" ? "i" : letter.toLowerCase())).join("");
}

/** The language by whose rules the text of a model was turned into lower case, if its file says so. */
export function languageOf(training: Record<string, unknown>): string {
  const language = training["lowercase_language"];
  return typeof language === "string" && ["af", "az", "el", "lt", "nl", "tr"].includes(language) ? language : "";
}

/** The word as the training text of a model has it, as far as a page can tell without the model's tokenizer:
 * a canonical k-mer, without accents, with digits as zeros, or a phrase that is typed with blanks. */
export function recast(word: string, training: Record<string, unknown>): string {
  if (typeof training["kmers"] === "number") {
    const letters = word.toUpperCase();
    if (training["kmer_alphabet"] === "protein") return letters;
    const kmer = letters.replaceAll("U", "T");
    if (training["kmer_canonical"] !== true || !/^[ACGT]*$/.test(kmer)) return kmer;
    const other = Array.from(kmer, (letter) => "ACGT"["TGCA".indexOf(letter)] ?? "")
      .reverse()
      .join("");
    return other < kmer ? other : kmer;
  }
  let text = word;
  if (training["normalize"] === "nfc") text = text.normalize("NFC");
  if (training["normalize"] === "nfkc") text = text.normalize("NFKC");
  if (training["lowercase"] === true) text = lowered(text, languageOf(training));
  if (training["strip_accents"] === true) text = text.normalize("NFD").replace(/\p{Mn}/gu, "").normalize("NFC");
  if (training["digits"] === "zero") text = text.replace(/\p{Nd}/gu, "0");
  if (training["phrases"] === true) {
    const delimiter = training["phrase_delimiter"];
    text = text.trim().split(/\s+/).join(typeof delimiter === "string" ? delimiter : "_");
  }
  return text;
}

/** WordIndex finds words in a list: as they are spelt, or else in lower case, or else as the training text has them. */
export class WordIndex {
  private readonly ids = new Map<string, number>();
  private readonly language: string;

  constructor(
    readonly words: readonly string[],
    private readonly training: Record<string, unknown> = {},
  ) {
    this.language = languageOf(training);
    words.forEach((word, id) => {
      if (!this.ids.has(word)) this.ids.set(word, id);
    });
  }

  /** The word's place in the list, or -1. */
  find(word: string): number {
    return this.ids.get(word) ?? this.ids.get(lowered(word, this.language)) ?? this.ids.get(recast(word, this.training)) ?? -1;
  }

  /** The words that are spelt most like this one, the nearest first, and of equal ones the most
   * frequent. No more than two letters are inserted, left out or replaced. */
  suggestions(word: string, limit: number): string[] {
    const wanted = [...lowered(recast(word, this.training), this.language)].slice(0, 64);
    const most = wanted.length < 4 ? 1 : 2;
    const found: { word: string; distance: number; id: number }[] = [];
    this.words.forEach((candidate, id) => {
      // Letters outside of the basic plane are two units, so this bound is generous.
      if (candidate.length > 2 * wanted.length + most || candidate.length < wanted.length - most) return;
      const distance = editDistance(wanted, [...lowered(candidate, this.language)], most);
      if (distance <= most) found.push({ word: candidate, distance, id });
    });
    found.sort((a, b) => a.distance - b.distance || a.id - b.id);
    return found.slice(0, limit).map((f) => f.word);
  }
}

/** The number of letters to insert, leave out or replace, or a number above most. */
export function editDistance(a: string[], b: string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const cost = Math.min(replaced, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
      current.push(cost);
      if (cost < smallest) smallest = cost;
    }
    if (smallest > most) return most + 1;
    previous = current;
  }
  return previous[b.length] as number;
}

/** The terms of an expression such as "king - man + woman", or of "king-man+woman" if the pieces are
 * words. Pieces side by side are a word with blanks, if there is one. unknown is the first piece that is no word. */
export function parseExpression(text: string, index: WordIndex): { terms: Term[] } | { unknown: string } {
  const terms: Term[] = [];
  let sign = 1;
  const pieces = text.trim().split(/\s+/);
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as string;
    if (piece === "+" || piece === "-") {
      sign = piece === "+" ? 1 : -1;
      continue;
    }
    let end = at + 1;
    while (end < pieces.length && pieces[end] !== "+" && pieces[end] !== "-") end++;
    const row = end - at > 1 ? index.find(pieces.slice(at, end).join(" ")) : -1;
    if (row >= 0) {
      terms.push({ row, weight: sign });
      at = end - 1;
      sign = 1;
      continue;
    }
    const found = pieceTerms(piece, sign, index);
    if (!found) return { unknown: piece };
    terms.push(...found);
    sign = 1;
  }
  return terms.length > 0 ? { terms } : { unknown: text.trim() };
}

/** The terms of a piece without spaces: a word, a word with a sign, or words joined by signs. The
 * longest possible words are taken, because words can hold hyphens. */
function pieceTerms(piece: string, sign: number, index: WordIndex): Term[] | null {
  const row = index.find(piece);
  if (row >= 0) return [{ row, weight: sign }];
  if (piece.length > 1 && (piece[0] === "+" || piece[0] === "-")) {
    return pieceTerms(piece.slice(1), piece[0] === "+" ? sign : -sign, index);
  }
  for (let at = piece.length - 2; at > 0; at--) {
    const operator = piece[at];
    if (operator !== "+" && operator !== "-") continue;
    const head = index.find(piece.slice(0, at));
    if (head < 0) continue;
    const rest = pieceTerms(piece.slice(at + 1), operator === "+" ? 1 : -1, index);
    if (rest) return [{ row: head, weight: sign }, ...rest];
  }
  return null;
}
