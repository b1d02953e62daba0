import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { createChunkNames } from './scripts/chunks.ts'
import { plainHtml } from './scripts/plain-html.ts'
import { precompress } from './scripts/precompress.ts'
import { retriedImports } from './scripts/retried-imports.ts'
import { singleIcons } from './scripts/single-icons.ts'
import { slimContract } from './scripts/slim-contract.ts'

/** Address of a running server, to which `vite` sends API calls while developing. */
const backend = process.env.TOLLGATE_BACKEND ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [
    slimContract(),
    singleIcons(),
    retriedImports(),
    react(),
    tailwindcss(),
    plainHtml(),
    precompress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A strict content security policy allows no `data:` address in place of a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      // Reading a property or a global has no side effect.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        // Every page loads the names of all files: seven characters tell four trillion contents apart, and texts need no more.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.every((id) => id.endsWith('.json')) ? 'assets/[hash:7].js' : 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: createChunkNames(), debugName: 'pages' }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': backend, '/pg': backend, '/v1': backend },
  },
})
