import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { at, root } from '../../../scripts/lib/root.mjs'

/** The built server of an earlier commit, as its operators ran it. */
export interface FormerProgram {
  readonly commit: string
  /** Path at which it starts. */
  readonly program: string
}

/** Looks for a commit in the history: a shallow clone, and sources without a repository, lack it. */
export function hasCommit(commit: string): boolean {
  return git('cat-file', '-e', `${commit}^{commit}`).status === 0
}

/**
 * Builds the server of a commit from the history, over the libraries that are installed. It is built once, and lies beside the
 * stamps of other builds afterwards.
 */
export function buildFormerProgram(commit: string): FormerProgram {
  const folder = at('node_modules', '.tollgate', 'former', commit)
  const program = join(folder, 'dist', 'main.js')
  if (!existsSync(program)) {
    const scratch = mkdtempSync(join(tmpdir(), 'tollgate-former-'))
    try {
      build(commit, scratch)
      mkdirSync(folder, { recursive: true })
      renameOver(join(scratch, 'apps', 'server', 'dist'), join(folder, 'dist'))
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
  return { commit, program }
}

function build(commit: string, scratch: string): void {
  const archive = git('archive', '--format=tar', commit, 'apps/server', 'packages')
  expectDone(archive)
  expectDone(spawnSync('tar', ['-x', '-C', scratch], { input: archive.stdout }))
  link('apps/server', scratch)
  for (const name of readdirSync(join(scratch, 'packages'))) link(`packages/${name}`, scratch)
  const server = join(scratch, 'apps', 'server')
  const { scripts } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  const entries: string[] = scripts.build.match(/\bsrc\/\S+\.ts\b/g) ?? []
  const options = ['--outdir=dist', '--entry-naming=[name].[ext]', '--target=bun', '--splitting']
  expectDone(spawnSync(process.execPath, ['build', ...entries, ...options], { cwd: server }))
}

/** Links the libraries of a workspace that are installed, and the packages of the former commit in the place of today's. */
function link(workspace: string, scratch: string): void {
  const installed = at(...workspace.split('/'), 'node_modules')
  if (!existsSync(installed)) return
  for (const name of libraries(installed)) {
    const own = name.startsWith('@tollgate/')
      ? join(scratch, 'packages', name.split('/')[1] ?? '')
      : undefined
    const target = join(scratch, workspace, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(own ?? join(installed, name), target)
  }
}

function libraries(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    )
}

/** Another process may have built the same meanwhile. */
function renameOver(from: string, to: string): void {
  if (existsSync(to)) return
  const { status } = spawnSync('cp', ['-r', from, `${to}.${process.pid}`])
  if (status !== 0) throw new Error(`${from} could not be copied`)
  try {
    renameSync(`${to}.${process.pid}`, to)
  } catch {
    rmSync(`${to}.${process.pid}`, { recursive: true, force: true })
  }
}

function git(...args: readonly string[]) {
  return spawnSync('git', args, { cwd: root, maxBuffer: 256 * 1024 * 1024 })
}

function expectDone({ status, stderr }: { readonly status: number | null; readonly stderr: Buffer }): void {
  if (status !== 0) throw new Error(stderr.toString())
}
