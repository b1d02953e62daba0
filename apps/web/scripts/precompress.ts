import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isWorthCompressing } from '@tollgate/base/compressible'
import type { Plugin } from 'vite'

/** Leaves `name.gz` beside each file of the build: a slow, thorough compression, done once, that the server sends. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const names = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
      await Promise.all(names.map(compress))
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (!isWorthCompressing(path, bytes.length)) return
  await writeFile(`${path}.gz`, Bun.gzipSync(new Uint8Array(bytes), { level: 12, library: 'libdeflate' }))
}
