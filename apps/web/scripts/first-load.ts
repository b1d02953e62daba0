import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What login and then the token list may cost in script, gzipped. */
export const firstLoadLimit = 200_000

/** The pages of the first load, and the texts they show. */
const firstLoadEntries = [
  'index.html',
  'src/features/login/page.tsx',
  'src/features/tokens/page.tsx',
  'src/i18n/en/common.json',
  'src/i18n/en/login.json',
  'src/i18n/en/tokens.json',
]

interface ManifestChunk {
  readonly file: string
  readonly imports?: readonly string[]
}
export type Manifest = Readonly<Record<string, ManifestChunk>>

/** Files of the named entries and of everything they import at once; lazy imports are left out. */
export function staticClosure(manifest: Manifest, entries: readonly string[]): readonly string[] {
  const files = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return [...files].filter((file) => file.endsWith('.js'))
}

export interface FirstLoad {
  readonly total: number
  readonly files: readonly { readonly file: string; readonly gzipped: number }[]
}

/** Measures a build; `undefined` when there is none. */
export async function measureFirstLoad(dist: string): Promise<FirstLoad | undefined> {
  const path = join(dist, '.vite/manifest.json')
  if (!existsSync(path)) return undefined
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  const files = await Promise.all(
    ['boot.js', ...staticClosure(manifest, firstLoadEntries)].map(async (file) => ({
      file,
      gzipped: gzipSync(await readFile(join(dist, file))).length,
    })),
  )
  files.sort((left, right) => right.gzipped - left.gzipped)
  return { files, total: files.reduce((sum, file) => sum + file.gzipped, 0) }
}
