// Conditions on fields, as the server has them: a column, a sign and a value.

import type { Field } from "../source";

export interface Condition {
  field: string;
  sign: "=" | "!=" | "<" | "<=" | ">" | ">=";
  value: string;
}

/** The parts of a condition such as "country=France"; null if it is none. */
export function parseCondition(text: string): Condition | null {
  const match = /^([^=!<>]+)(!=|<=|>=|=|<|>)(.*)$/s.exec(text);
  if (!match) return null;
  const [, field = "", sign = "=", value = ""] = match;
  return { field: field.trim(), sign: sign as Condition["sign"], value: value.trim() };
}

/** Whether a word meets a condition. One whose value is unknown does not. */
export function meets(field: Field, id: number, { sign, value }: Condition): boolean {
  if (field.kind === "category") {
    const known = field.categories[field.values[id] ?? -1];
    return known !== undefined && (known === value) === (sign === "=");
  }
  const x = field.values[id];
  const than = Number(value);
  if (x === null || x === undefined) return false;
  switch (sign) {
    case "=":
      return x === than;
    case "!=":
      return x !== than;
    case "<":
      return x < than;
    case "<=":
      return x <= than;
    case ">":
      return x > than;
    case ">=":
      return x >= than;
  }
}

/** The categories that a condition can name: not the one that stands for the rare ones. */
export function categoriesOf(field: Extract<Field, { kind: "category" }>): string[] {
  return field.merged ? field.categories.slice(0, -1) : field.categories;
}
