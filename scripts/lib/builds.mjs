import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError, causeOf } from './command-error.mjs'
import { at } from './root.mjs'
import { run } from './run.mjs'
import { bun } from './runtime.mjs'

/** Folders in which nothing lies that a build is made from. */
const ignoredFolders = new Set(['dist', 'node_modules', '.vite', 'test-support'])

/**
 * @typedef {object} Buildable
 * @property {string} name as a person calls it
 * @property {string} workspace where it is made
 * @property {readonly string[]} [command] of Bun that makes it; the `build` script of the workspace by default
 * @property {string} built a file that is there when it is built
 * @property {readonly string[]} sources files and folders that it is made from
 */

/**
 * Builds what is missing or older than its sources.
 * Sizes and times of the files decide; only when they differ are the files read, so that a fresh checkout of the same
 * sources does not build again.
 * @param {Buildable} buildable
 * @param {(doing: string) => void} say reports each slow step before it starts
 */
export async function ensureBuilt(buildable, say) {
  const stamp = at('node_modules', '.tollgate', `${buildable.name}.json`)
  const files = buildable.sources.flatMap(filesBelow)
  const seen = fingerprint(files, ({ size, mtimeMs }) => `${size} ${mtimeMs}`)
  const last = existsSync(buildable.built) ? readStamp(stamp) : undefined
  if (last?.seen === seen) return
  const content = fingerprint(files, ({ path }) => readFileSync(path))
  if (last?.content !== content) {
    rmSync(stamp, { force: true })
    await build(buildable, say)
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, JSON.stringify({ seen, content }))
}

const buildScript = ['--bun', 'run', 'build']

/**
 * Builds what ships, also below a test, whose own environment would bring the development build of React along.
 * @param {Buildable} buildable @param {(doing: string) => void} say
 */
async function build({ name, workspace, built, command = buildScript }, say) {
  say(`building the ${name}`)
  const env = { ...process.env, NODE_ENV: 'production' }
  const outcome = await run(bun, command, { cwd: workspace, env })
  if (outcome.code !== 0 || !existsSync(built))
    throw new CommandError(`the ${name} could not be built: ${causeOf(outcome.output)}`)
}

/**
 * @typedef {{ path: string, size: number, mtimeMs: number }} SourceFile
 * @param {string} path
 * @returns {SourceFile[]}
 */
function filesBelow(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return [{ path, size: stat.size, mtimeMs: stat.mtimeMs }]
  return readdirSync(path)
    .filter((name) => !ignoredFolders.has(name) && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

/**
 * @param {readonly SourceFile[]} files
 * @param {(file: SourceFile) => string | Buffer} aspect
 */
function fingerprint(files, aspect) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.path}\0`).update(aspect(file)).update('\0')
  return hash.digest('hex')
}

/** @param {string} stamp @returns {{ seen: string, content: string } | undefined} */
function readStamp(stamp) {
  return existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : undefined
}
