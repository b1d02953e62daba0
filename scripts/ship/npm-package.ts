import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError, causeOf } from '../lib/command-error.mjs'
import { npm } from '../lib/npm.mjs'
import { at } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { bun, pinnedVersion } from '../lib/runtime.mjs'
import { bundledPackages } from './bundled-packages.ts'
import { noticesOf } from './notices.ts'
import type { Say } from './say.ts'

export const noticesFile = 'THIRD-PARTY-NOTICES.txt'

/** Files of the package, beside its manifest. The folders stand to one another as in the repository. */
const files = ['bin', 'apps/server/dist', 'apps/web/dist', 'LICENSE', 'NOTICE', noticesFile, 'README.md']

/**
 * Packs the built server and console as the npm package `tollgate`. Libraries are bundled; the runtime is its one dependency.
 * @param folder where the packed file is put
 * @returns path of the packed file
 */
export async function packNpmPackage(folder: string, say: Say): Promise<string> {
  say('packing the npm package')
  mkdirSync(folder, { recursive: true })
  const stage = mkdtempSync(join(tmpdir(), 'tollgate-package-'))
  try {
    await stageInto(stage)
    const { code, output } = await npm(['pack', stage, '--pack-destination', folder, '--silent'], stage)
    if (code !== 0) throw new CommandError(`the npm package could not be packed: ${causeOf(output)}`)
    return join(folder, output.trim().split('\n').at(-1) ?? '')
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

async function stageInto(stage: string): Promise<void> {
  for (const name of files.filter((name) => name !== 'bin' && name !== noticesFile))
    cpSync(at(...name.split('/')), join(stage, name), { recursive: true })
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  writeFileSync(join(stage, noticesFile), noticesOf(bundledPackages()))
  const program = join(stage, 'bin', 'tollgate.mjs')
  const launcher = at('scripts', 'ship', 'launcher.mjs')
  const { code, output } = await run(bun, ['build', launcher, '--target=node', `--outfile=${program}`])
  if (code !== 0) throw new CommandError(`the launcher could not be built: ${causeOf(output)}`)
  chmodSync(program, 0o755)
}

function manifest(): object {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(at('package.json'), 'utf8'),
  )
  return {
    name,
    version,
    description,
    keywords: ['ai', 'llm', 'gateway', 'proxy', 'billing', 'openai', 'anthropic', 'gemini'],
    license,
    type,
    bin: { tollgate: 'bin/tollgate.mjs' },
    files,
    engines,
    os: ['linux', 'darwin', 'win32'],
    cpu: ['x64', 'arm64'],
    dependencies: { bun: pinnedVersion() },
  }
}
