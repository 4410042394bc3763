// How the pages are built: two entries, one folder of assets that both share.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { presetsPlugin } from './presets-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), presetsPlugin()],
  build: {
    rolldownOptions: {
      input: ['portal.html', 'console.html'].map((page) => `${import.meta.dirname}/${page}`),
      output: {
        // What nearly every page needs comes in few pieces: a browser asks one host for six at a time.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules.(?:react|react-dom|scheduler|@tanstack)[\\/]/ },
            { name: 'components', test: /node_modules/, minShareCount: 80, maxSize: 400_000 },
            // The parts of a few pages of both applications stay with them.
            {
              name: 'ui',
              test: /web.ui.(?!copy|filter-bar|list-sums|lists|pager|users|views-menu|webhook-format)/,
              minShareCount: 8,
            },
            // Most pages need these, and no overview does.
            { name: 'below-lists', test: /web.ui.(?:list-sums|pager)/, minShareCount: 8 },
          ],
        },
      },
    },
    // Everything small would otherwise become a data: address in the scripts, which no cache keeps by itself.
    assetsInlineLimit: 0,
    // For the test that counts what a first load brings.
    manifest: true,
    // The policy allows no inline script, which this would put into the pages.
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
  },
});
