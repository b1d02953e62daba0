import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { importsOf } from './imports.ts'

/** A file of the repository knows another file, a package or a part of the platform. */
export interface Edge {
  readonly from: string
  /** Path in the repository, `npm:name`, or a platform module (`node:fs`, `bun:sqlite`, `bun`). */
  readonly to: string
  readonly line: number
  readonly isSeparateProgram: boolean
}

/** Files behind imports of a workspace's name: `@tollgate/api/settings` → `packages/api/src/settings/index.ts`. */
export type WorkspaceEntries = ReadonlyMap<string, string>

/** Every edge that starts in one of the files. `files` maps a path in the repository to its source. */
export function edgesOf(files: ReadonlyMap<string, string>, workspaces: WorkspaceEntries): readonly Edge[] {
  return [...files].flatMap(([from, source]) =>
    importsOf(from, source).map((site) => ({
      from,
      to: targetOf(from, site.specifier, workspaces),
      line: site.line,
      isSeparateProgram: site.isSeparateProgram,
    })),
  )
}

/** Returns the file, package or module behind a specifier in a file. */
export function targetOf(from: string, specifier: string, workspaces: WorkspaceEntries): string {
  const bare = specifier.replace(/[?#].*$/, '')
  if (bare.startsWith('.')) return posix.join(posix.dirname(from), bare)
  if (bare === 'bun' || bare.startsWith('bun:')) return bare
  if (isBuiltin(bare)) return bare.startsWith('node:') ? bare : `node:${bare}`
  return workspaces.get(bare) ?? `npm:${packageName(bare)}`
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
