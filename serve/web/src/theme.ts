import { computed, effect, signal } from "@preact/signals";

export type ThemeChoice = "system" | "light" | "dark";

const key = "w2v-theme";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(prefersDark.matches);
prefersDark.addEventListener("change", (event) => (systemDark.value = event.matches));

export const themeChoice = signal<ThemeChoice>(stored());

export const dark = computed(() => (themeChoice.value === "system" ? systemDark.value : themeChoice.value === "dark"));

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");

export function reducedMotion(): boolean {
  return lessMotion.matches;
}

/** Keeps the page's theme, which the style sheet reads from an attribute, as chosen. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = dark.value ? "dark" : "light";
    try {
      localStorage.setItem(key, themeChoice.value);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  });
}

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(key);
    if (value === "light" || value === "dark") return value;
  } catch {
    // Pages from files may have no storage.
  }
  return "system";
}
