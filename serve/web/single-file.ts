import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Puts the script and the style sheet of a built page into it, with a content security policy that allows
 * these alone, by their hashes. */
export function singleFile(page: string): Plugin {
  return {
    name: "w2v-single-file",
    generateBundle: {
      // Vite's own last changes to the script come before.
      order: "post",
      handler(_, bundle) {
        const html = bundle[page];
        if (html?.type !== "asset") throw new Error(`the build has no ${page}`);
        let text = String(html.source);
        const hashes = { script: [] as string[], style: [] as string[] };
        for (const [name, file] of Object.entries(bundle)) {
          if (file === html) continue;
          if (file.type === "chunk") {
            const code = inScript(file.code);
            hashes.script.push(hashOf(code));
            text = replaced(text, new RegExp(`<script type="module"[^>]*${escaped(name)}"></script>`), `<script type="module">${code}</script>`);
          } else if (name.endsWith(".css")) {
            const style = String(file.source);
            if (/<\/style/i.test(style)) throw new Error(`${name} would end its element`);
            hashes.style.push(hashOf(style));
            text = replaced(text, new RegExp(`<link rel="stylesheet"[^>]*${escaped(name)}">`), `<style>${style}</style>`);
          } else if (name.endsWith(".svg")) {
            const data = Buffer.from(file.source).toString("base64");
            text = replaced(text, new RegExp(`href="[^"]*${escaped(name)}"`), `href="data:image/svg+xml;base64,${data}"`);
          } else throw new Error(`${name} cannot be put into ${page}`);
          delete bundle[name];
        }
        const policy = [
          "default-src 'none'",
          `script-src ${hashes.script.join(" ")}`,
          `style-src ${hashes.style.join(" ")}`,
          "img-src data: blob:",
          "worker-src blob:",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; ");
        html.source = replaced(text, /<meta charset="utf-8" ?\/?>/, `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`, true);
      },
    },
  };
}

/** Code that cannot end the element that it stands in. It means the same in strings, where alone these occur. */
function inScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, "\\x3c");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Replaces what must be there once. In plain replacements a $ is a $. */
function replaced(text: string, what: RegExp, by: string, pattern = false): string {
  if (!what.test(text)) throw new Error(`the page has nothing like ${what.source}`);
  return pattern ? text.replace(what, by) : text.replace(what, () => by);
}
