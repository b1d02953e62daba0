import packageJson from '../../../package.json' with { type: 'json' }
import { edgesOf } from '../../../scripts/boundaries/graph.ts'
import { readSources, readWorkspaces } from '../../../scripts/boundaries/sources.ts'
import { programs } from '../../../scripts/programs.mjs'

/** The files of `bench/` and `scripts/` that people or other programs start: what no other file imports, or what says so. */
export async function entryPoints(): Promise<readonly string[]> {
  const sources = await readSources('{scripts,bench}/**/*.{ts,mjs}')
  const imported = new Set(edgesOf(sources, await readWorkspaces()).map(({ to }) => to))
  const starts = (path: string, source: string) =>
    !path.endsWith('.test.ts') && (!imported.has(path) || source.includes('import.meta.main'))
  return [...sources].flatMap(([path, source]) => (starts(path, source) ? [path] : []))
}

/** The file that each script of package.json starts. */
export function npmScripts(): readonly (readonly [name: string, file: string])[] {
  return Object.entries(packageJson.scripts).map(([name, command]) => {
    const [, file = '', program] = /^(?:exec )?node (\S+)(?: (\S+))?$/.exec(command) ?? []
    return [
      name,
      program === undefined ? file : (programs[program]?.file ?? `no program ${program}`),
    ] as const
  })
}
