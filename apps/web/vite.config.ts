import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { retriedImports } from './scripts/retried-imports.ts'
import { slimContract } from './scripts/slim-contract.ts'

/** Where `vite` sends API calls while developing: a running server, or the stub in `dev/`. */
const backend = process.env.TOLLGATE_BACKEND ?? 'http://127.0.0.1:3000'

const entry = fileURLToPath(new URL('src/main.tsx', import.meta.url))

const frameworkPackages =
  /node_modules\/(react|react-dom|scheduler|i18next|react-i18next|@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store))\//

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const everyPage = new Set<string>()

/** Whether a module is loaded with the console's entry, whatever page is opened. */
function isOnEveryPage(id: string, graph: ModuleGraph): boolean {
  const visit = (visited: string): void => {
    if (everyPage.has(visited)) return
    everyPage.add(visited)
    for (const imported of graph.getModuleInfo(visited)?.importedIds ?? []) visit(imported)
  }
  visit(entry)
  return id !== entry && everyPage.has(id)
}

export default defineConfig({
  plugins: [slimContract(), retriedImports(), react(), tailwindcss()],
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
        // What every page needs, in two files: packed together it is smaller than as many small ones,
        // and the framework stays cached when the console changes.
        codeSplitting: {
          groups: [
            { name: 'framework', test: frameworkPackages, priority: 1 },
            { name: (id, graph) => (isOnEveryPage(id, graph) ? 'app' : null) },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': backend, '/pg': backend, '/v1': backend },
  },
})
