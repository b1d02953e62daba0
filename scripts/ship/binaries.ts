import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CommandError, causeOf } from '../lib/command-error.mjs'
import { at } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { bun } from '../lib/runtime.mjs'
import { foreignRuntime } from './foreign-runtimes.ts'
import type { Say } from './say.ts'

/** The systems that get an executable, and the package of the runtime that it carries. */
export const targets = {
  'linux-x64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-aarch64',
  'darwin-arm64': 'bun-darwin-aarch64',
  'windows-x64': 'bun-windows-x64',
} as const

export type Target = keyof typeof targets
export const targetNames = Object.keys(targets) as readonly Target[]

/** The system that this machine runs; `undefined` when it gets no executable. */
export function ownTarget(): Target | undefined {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return targetNames.find((name) => name === `${system}-${process.arch}`)
}

export function binaryName(target: Target): string {
  return `tollgate-${target}${target.startsWith('windows') ? '.exe' : ''}`
}

const options = [
  '--compile',
  `--asset=${at('apps', 'web', 'dist')}`,
  // A bunfig.toml that lies in the working folder is another program's.
  '--no-compile-autoload-bunfig',
  '--entry-naming=[name].[ext]',
  '--splitting',
  '--minify-syntax',
  '--minify-whitespace',
  '--sourcemap=inline',
]

/** Compiled modules halve the processor time of a start. A compiler makes them for the system that it runs on. */
const compiledModules = ['--bytecode', '--format=esm']

/** The server's entries as its build names them, but for the first: the executable starts by an entry of its own. */
function entries(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(at('apps', 'server', 'package.json'), 'utf8')) as {
    readonly scripts: { readonly build: string }
  }
  const named = scripts.build.match(/\bsrc\/\S+\.ts\b/g) ?? []
  return named.map((path) => at('apps', 'server', path.replace('src/main.ts', 'src/executable.ts')))
}

/**
 * Compiles server, worker threads and the built console with the runtime of a system into one executable.
 * @param folder where it is put under its `binaryName`; replaces the one that is there
 * @returns path of the executable
 */
export async function buildBinary(target: Target, folder: string, say: Say): Promise<string> {
  const runtime = target === ownTarget() ? bun : await foreignRuntime(targets[target], say)
  say(`compiling ${binaryName(target)}`)
  mkdirSync(folder, { recursive: true })
  // The compiler leaves source maps beside the executable, which carries them too.
  const scratch = mkdtempSync(join(folder, 'compiling-'))
  try {
    const made = join(scratch, binaryName(target))
    const compile = [
      `--target=${targets[target].replace('aarch64', 'arm64')}`,
      `--compile-executable-path=${runtime}`,
      `--outfile=${made}`,
      ...(target === ownTarget() ? compiledModules : []),
    ]
    // It works in its own folder: the compiler's temporary files would be taken for sources in another.
    const { code, output } = await run(bun, ['build', ...entries(), ...options, ...compile], { cwd: scratch })
    if (code !== 0) throw new CommandError(`${binaryName(target)} could not be compiled: ${causeOf(output)}`)
    const binary = join(folder, basename(made))
    renameSync(made, binary)
    return binary
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
