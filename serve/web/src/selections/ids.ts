// Ids of words in an address. Ids in an order of their own are numbers to the base 36 with points between. Rising ones are
// the gaps between them in a Rice code, which takes about as many bits as telling the words apart needs.

/** The most characters of all selections in an address: programs that send links cut longer ones. */
export const mostCharacters = 16_000;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const largest = 2 ** 28;

/** The texts of ids that the address has had before. */
const texts = new WeakMap<readonly number[], string>();

export function idsToText(ids: readonly number[]): string {
  let text = texts.get(ids);
  if (text === undefined) texts.set(ids, (text = encoded(ids)));
  return text;
}

function encoded(ids: readonly number[]): string {
  const plain = ids.map((id) => id.toString(36)).join(".");
  if (ids.some((id, i) => i > 0 && id <= (ids[i - 1] ?? 0))) return plain;
  const coded = rice(ids);
  return coded.length < plain.length ? coded : plain;
}

/** The ids of a text; null if it is none of idsToText. */
export function idsFromText(text: string): number[] | null {
  if (text.startsWith("!")) return unrice(text);
  const ids = text.split(".").filter(Boolean).map((id) => (/^[0-9a-z]{1,6}$/.test(id) ? Number.parseInt(id, 36) : NaN));
  return ids.every((id) => id < largest) && new Set(ids).size === ids.length ? ids : null;
}

/** "!", the number of low bits of a gap, the number of ids to the base 36, ".", and the bits: of each gap the high part as so
 * many ones and a zero, and its low bits. */
function rice(ids: readonly number[]): string {
  const mean = ((ids[ids.length - 1] ?? 0) + 1) / Math.max(1, ids.length);
  const low = Math.max(0, Math.min(20, Math.round(Math.log2(Math.max(1, 0.69 * mean)))));
  let text = `!${digits[low] ?? ""}${ids.length.toString(36)}.`;
  let [bits, filled] = [0, 0];
  const put = (bit: number) => {
    bits = 2 * bits + bit;
    if (++filled < 6) return;
    text += digits[bits] ?? "";
    [bits, filled] = [0, 0];
  };
  let last = -1;
  for (const id of ids) {
    const gap = id - last - 1;
    last = id;
    for (let high = Math.floor(gap / 2 ** low); high > 0; high--) put(1);
    put(0);
    for (let i = low - 1; i >= 0; i--) put(Math.floor(gap / 2 ** i) % 2);
  }
  while (filled > 0) put(0);
  return text;
}

function unrice(text: string): number[] | null {
  const match = /^!([A-U])([0-9a-z]{1,5})\.([\w-]*)$/.exec(text);
  if (!match) return null;
  const [, first = "", length = "", code = ""] = match;
  const low = digits.indexOf(first);
  const n = Number.parseInt(length, 36);
  if (n > 6 * code.length) return null;
  let at = 0;
  const take = (): number => {
    const digit = digits.indexOf(code[Math.floor(at / 6)] ?? "!");
    if (digit < 0) return NaN;
    const bit = (digit >> (5 - (at % 6))) & 1;
    at++;
    return bit;
  };
  const ids: number[] = [];
  for (let last = -1; ids.length < n; ) {
    let gap = 0;
    for (let bit = take(); bit !== 0; bit = take()) {
      if (Number.isNaN(bit)) return null;
      gap++;
    }
    for (let i = 0; i < low; i++) gap = 2 * gap + take();
    last += gap + 1;
    if (!(last < largest)) return null;
    ids.push(last);
  }
  return ids;
}
