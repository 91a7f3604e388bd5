import { defineConfig } from "vite";
import { singleFile } from "./single-file.ts";

// Builds dist/export.html, which `w2v export-explorer` fills with data. It is one file and loads nothing.
export default defineConfig({
  base: "./",
  define: { __MOCK__: "false" },
  plugins: [singleFile("export.html")],
  build: {
    target: "es2022",
    emptyOutDir: false,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: "export.html", output: { codeSplitting: false } },
  },
});
