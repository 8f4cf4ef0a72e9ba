import { defineConfig } from 'vite';

// The address of the API for `npm run dev` (vite's server with hot reload). A built site is served by a proxy (deploy/).
const api = process.env['GUILDHALL_URL'] ?? 'http://127.0.0.1:8080';

// The name of the site, in index.html and on all pages.
process.env['GUILDHALL_SITE_NAME'] ??= 'Guildhall';

export default defineConfig({
  envPrefix: 'GUILDHALL_SITE_',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // The Content-Security-Policy of the site allows no data: URLs in styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: api, changeOrigin: false, rewrite: (path) => path.slice('/api'.length) } },
  },
});
