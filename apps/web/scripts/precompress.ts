import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const compressible = /\.(?:html|js|css|json|svg|webmanifest)$/
/** A file below it does not get smaller by a tenth of a kilobyte. */
const worthCompressing = 256

/** Leaves `name.gz` beside each file of the build: a slow, thorough compression, done once, that the server sends. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const names = entries
        .filter((entry) => entry.isFile() && compressible.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
      await Promise.all(names.map(compress))
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < worthCompressing) return
  await writeFile(`${path}.gz`, Bun.gzipSync(new Uint8Array(bytes), { level: 12, library: 'libdeflate' }))
}
