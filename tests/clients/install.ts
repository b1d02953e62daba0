import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Program } from './programs.ts'
import { runBounded } from './run-bounded.ts'

const installMs = 300_000

/** Returns the folder of the programs: outside the repository, one for each version. */
function cacheFolder(): string {
  return process.env.TOLLGATE_TEST_CLIENTS ?? join(homedir(), '.cache', 'tollgate', 'clients')
}

/** The program's command, installed when it is not yet; the reason when that cannot be done. */
export async function install(program: Program): Promise<{ command: string } | { problem: string }> {
  const name = `${program.package.replace('@', '').replace('/', '-')}-${program.version}`
  const folder = join(cacheFolder(), name)
  const command = join(folder, 'node_modules', '.bin', program.command)
  const done = join(folder, 'installed')
  if (existsSync(done)) return { command }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const npm = [
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    '--save-exact',
    `${program.package}@${program.version}`,
  ]
  const { code, output } = await runBounded(npm, { cwd: folder, env: process.env, timeoutMs: installMs })
  if (code !== 0) return { problem: `npm install ended with ${code}: ${output.trim().split('\n').at(-1)}` }
  writeFileSync(done, '')
  return { command }
}
