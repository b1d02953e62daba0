import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimContract } from './scripts/slim-contract.ts'

/** Where `vite` sends API calls while developing: a running server, or the stub in `dev/`. */
const backend = process.env.TOLLGATE_BACKEND ?? 'http://127.0.0.1:3000'

const frameworkPackages =
  /node_modules\/(react|react-dom|scheduler|i18next|react-i18next|@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store))\//

export default defineConfig({
  plugins: [slimContract(), react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The size check reads which chunk belongs to which page from the manifest.
    manifest: true,
    // A strict content security policy allows no `data:` address in place of a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        // What every page needs, in one file: packed together it is smaller, and it stays cached when pages change.
        codeSplitting: { groups: [{ name: 'framework', test: frameworkPackages }] },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': backend, '/pg': backend, '/v1': backend },
  },
})
