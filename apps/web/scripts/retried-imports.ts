import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const sources = fileURLToPath(new URL('../src/', import.meta.url))
const loader = `${sources}lib/api/load-chunk.ts`
const lazyImport = /\bimport\((\s*(?:'[^']+'|"[^"]+")\s*)\)/g

/**
 * Sends every lazy import of the built console through `loadChunk`, which waits for a server that is away and takes a
 * new build over: pages, dialogs and charts need not think of it one by one.
 */
export function retriedImports(): Plugin {
  return {
    name: 'retried-imports',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(sources) || id === loader || !code.includes('import(')) return undefined
      const retried = code.replace(lazyImport, '__loadChunk(() => import($1))')
      if (retried === code) return undefined
      return {
        code: `import { loadChunk as __loadChunk } from ${JSON.stringify(loader)};\n${retried}`,
        map: null,
      }
    },
  }
}
