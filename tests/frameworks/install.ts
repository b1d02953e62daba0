import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runBounded } from '../clients/run-bounded.ts'
import type { Framework } from './frameworks.ts'

const installMs = 600_000
const here = import.meta.dirname

/** Returns the folder of the packages: outside the repository, one for each lock file. */
function cacheFolder(): string {
  return process.env.TOLLGATE_TEST_FRAMEWORKS ?? join(homedir(), '.cache', 'tollgate', 'frameworks')
}

type Installed = { readonly command: readonly string[] } | { readonly problem: string }

/** The command that runs a framework's driver, with its packages installed; the reason when that cannot be done. */
export async function install({ packages, driver }: Framework): Promise<Installed> {
  if (packages === 'js') return installNode(driver)
  const lock = join(here, 'python', 'locks', `${packages.python}.txt`)
  const folder = folderOf(packages.python, lock)
  const python = join(folder, 'bin', 'python')
  const steps = [
    [process.env.TOLLGATE_TEST_PYTHON ?? 'python3', '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', lock],
  ]
  const problem = await installInto(folder, steps)
  return problem === undefined ? { command: [python, join(here, 'python', driver)] } : { problem }
}

/** Node finds packages beside the file that imports them, so the drivers are copied to the packages. */
async function installNode(driver: string): Promise<Installed> {
  const folder = folderOf('js', join(here, 'js', 'package-lock.json'))
  const files = readdirSync(join(here, 'js'))
  const copy = () => {
    for (const file of files) copyFileSync(join(here, 'js', file), join(folder, file))
  }
  const npm = ['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts']
  const problem = await installInto(folder, [npm], copy)
  if (problem !== undefined) return { problem }
  copy()
  return { command: ['node', join(folder, driver)] }
}

function folderOf(name: string, lock: string): string {
  const version = createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 12)
  return join(cacheFolder(), `${name}-${version}`)
}

async function installInto(
  folder: string,
  steps: readonly (readonly string[])[],
  prepare: () => void = () => {},
): Promise<string | undefined> {
  const done = join(folder, 'installed')
  if (existsSync(done)) return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  prepare()
  for (const step of steps) {
    const { code, output } = await runBounded(step, { cwd: folder, env: process.env, timeoutMs: installMs })
    if (code !== 0) return `${step.slice(0, 4).join(' ')} ended with ${code}: ${lastLine(output)}`
  }
  writeFileSync(done, '')
  return undefined
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
