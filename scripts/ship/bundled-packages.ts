import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { at } from '../lib/root.mjs'
import { pinnedVersion } from '../lib/runtime.mjs'

/** A package of others that is part of what is shipped. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression, as the package declares it. */
  readonly license: string
  readonly homepage: string | undefined
  /** Texts of its licence and notice files. */
  readonly texts: readonly string[]
}

/** Notice of the runtime: its sources say what it is made of, and how its LGPL parts are built anew. */
const runtimeNotice = `Bun is MIT-licensed. It contains JavaScriptCore and parts of WebKit (LGPL-2.0) and TinyCC (LGPL-2.1), and other libraries.
Their licences, their sources and how to build Bun with changed ones:
https://github.com/oven-sh/bun/blob/bun-v${pinnedVersion()}/LICENSE.md`

const runtime: BundledPackage = {
  name: 'bun',
  version: pinnedVersion(),
  license: 'MIT',
  homepage: 'https://bun.com',
  texts: [runtimeNotice],
}

/** Its base styles are in the console's style sheet, though it is a tool otherwise. */
const bundledTools = { 'apps/web': ['tailwindcss'] } as const

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly homepage?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Every package that server and console depend on when they run, by name and version, and the runtime. */
export function bundledPackages(): readonly BundledPackage[] {
  const found = new Map<string, BundledPackage>()
  const visited = new Set<string>()
  const visit = (folder: string, more: readonly string[] = []) => {
    if (visited.has(folder)) return
    visited.add(folder)
    const manifest = readManifest(folder)
    if (!manifest.name.startsWith('@tollgate/')) {
      const { name, version, license = 'UNKNOWN', homepage } = manifest
      found.set(`${name}@${version}`, { name, version, license, homepage, texts: licenceTexts(folder) })
    }
    for (const name of [...Object.keys(manifest.dependencies ?? {}), ...more]) visit(locate(name, folder))
  }
  visit(at('apps', 'server'))
  visit(at('apps', 'web'), bundledTools['apps/web'])
  const packages = [...found.values()].filter(({ name }) => !name.startsWith('@types/'))
  return [runtime, ...packages].sort((one, other) => (key(one) < key(other) ? -1 : 1))
}

function key({ name, version }: BundledPackage): string {
  return `${name}@${version}`
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Finds a package as the runtime does: from the folder outwards, links followed. */
function locate(name: string, from: string): string {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const position = join(folder, 'node_modules', ...name.split('/'))
    if (existsSync(join(position, 'package.json'))) return realpathSync(position)
    if (folder === dirname(folder)) throw new Error(`${name}, a dependency of ${from}, is not installed`)
  }
}

function licenceTexts(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
}
