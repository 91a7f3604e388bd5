import { defineConfig } from "vitest/config";

// The address of a running `w2v serve`, which the development server forwards requests to. Without
// it, `npm run dev` shows generated data (src/mock.ts).
const server = process.env["W2V_SERVER"];

export default defineConfig({
  base: "./",
  define: { __MOCK__: JSON.stringify(process.env["NODE_ENV"] !== "production" && !server) },
  server: server ? { proxy: { "/explorer": server, "/v1": server } } : {},
  test: { environment: "happy-dom", testTimeout: 60_000, include: ["test/**/*.test.{ts,tsx}"] },
  build: {
    target: "es2022",
    // Small files are not written into others as data: URLs, which the content security policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: true,
  },
});
