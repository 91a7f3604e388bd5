import { signal } from "@preact/signals";

const key = "w2v-token";

/** The bearer token. It lives as long as the tab. */
export const token = signal(sessionStorage.getItem(key) ?? "");

/** Whether the server refused a request for want of a valid token. */
export const tokenWanted = signal(false);

export function setToken(value: string): void {
  sessionStorage.setItem(key, value);
  token.value = value;
  tokenWanted.value = false;
}
