import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../tests/support/network/free-port.ts'
import { operate } from '../../tests/support/operator.ts'
import { until } from '../../tests/support/until.ts'
import { startUpstream } from '../../tests/support/upstream/upstream.ts'
import { at, root } from '../lib/root.mjs'
import { type Position, spineOf, spineTable, stepsIn } from './spine.ts'

/**
 * Prints the source files that one warm call runs through, by package, and their number: the files with a function that every
 * one of several calls enters between its first byte and its last, and enters more often than an idle server does in as long.
 * Left out are files that only load, timers and jobs, and what the server does later for many calls at once (the write-behind
 * flush). Counted is what is ours, packages too; types, tests and worker threads run no function of the call.
 * With `--spine` the functions whose documentation has the tag `@step`, in the order in which the call enters them.
 */
const model = 'gpt-4o-mini'
const calls: Readonly<Record<string, object>> = {
  chat: { model, messages: [{ role: 'user', content: 'Hello' }] },
  'chat-stream': { model, messages: [{ role: 'user', content: 'Hello' }], stream: true },
}

/** Until nothing of a call is still to be written. */
const settledMs = Number(process.env['TRACE_SETTLED_MS'] ?? 3000)

/** Number of turns: code that runs in each of them belongs to the call, code that runs in some to a timer or a job. */
const turns = 4

type Counts = Readonly<Record<string, number>>

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { spine: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [name = 'chat-stream'] = positionals
const body = calls[name]
if (body === undefined) throw new Error(`no call is named ${name}: use ${Object.keys(calls).join(' or ')}`)
const folder = mkdtempSync(join(tmpdir(), 'tollgate-trace-'))
const traceFile = join(folder, 'counts.json')
const url = `http://127.0.0.1:${await freePort()}`
const server = startServer()
const upstream = await startUpstream()
try {
  const positions = await positionsOfCall(body)
  refuseComposition(positions)
  console.log(values.spine ? spine(positions) : listOfFiles(positions))
} finally {
  server.kill()
  await server.exited
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The server from its sources, as an operator starts it. */
function startServer() {
  const { PATH = '', HOME = '' } = process.env
  const { port } = new URL(url)
  const preload = at('scripts', 'trace', 'count-functions.ts')
  return Bun.spawn([process.execPath, '--preload', preload, at('apps', 'server', 'src', 'main.ts')], {
    cwd: folder,
    stdout: 'ignore',
    stderr: 'inherit',
    env: {
      PATH,
      HOME,
      PORT: port,
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      TRACE_FILE: traceFile,
      TRACE_ROOT: root,
    },
  })
}

/** The functions of a call, in the order in which it enters them first. */
async function positionsOfCall(request: object): Promise<readonly Position[]> {
  await until(isServing, 60_000)
  const operator = await operate(url)
  await operator.addChannel({
    name: 'traced',
    type: 1,
    key: 'sk-upstream',
    base_url: upstream.url,
    models: model,
  })
  const { key } = await operator.addKey({ unlimited_quota: true })
  const call = async () => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
  }
  // Key, user and balances are in memory after the first call, and written after a while.
  await call()
  const windows: Counts[] = []
  let maxMs = 0
  for (let turn = 0; turn < turns; turn += 1) {
    await Bun.sleep(settledMs)
    await counts()
    const startedAt = performance.now()
    await call()
    maxMs = Math.max(maxMs, performance.now() - startedAt)
    windows.push(await counts())
  }
  await Bun.sleep(settledMs)
  await counts()
  await Bun.sleep(maxMs)
  const idle = await counts()
  const [first = {}] = windows
  return Object.keys(first).filter((position) =>
    windows.every((window) => (window[position] ?? 0) > (idle[position] ?? 0)),
  )
}

/** `compose/` builds what calls run through; a call that enters it hides a step from whoever reads the modules. */
function refuseComposition(positions: readonly Position[]): void {
  const found = positions.filter((position) => position.startsWith('apps/server/src/compose/'))
  if (found.length > 0) throw new Error(`the call runs through compose/: ${found.join(', ')}`)
}

function spine(positions: readonly Position[]): string {
  const steps = filesOf(positions).flatMap((file) => stepsIn(file, readFileSync(at(file), 'utf8')))
  return spineTable(spineOf(steps, positions))
}

function listOfFiles(positions: readonly Position[]): string {
  const files = filesOf(positions)
  return `${byFolder(files)}\n\n${files.length} files run for one ${name} call: ${byPackage(files)}`
}

function filesOf(positions: readonly Position[]): readonly string[] {
  return [...new Set(positions.map((position) => position.slice(0, position.lastIndexOf(':'))))].toSorted()
}

/** A line of Markdown for each folder, with the names of its files. */
function byFolder(files: readonly string[]): string {
  const folders = [...new Set(files.map((file) => dirname(file)))]
  const namesIn = (folder: string) =>
    files.filter((file) => dirname(file) === folder).map((file) => basename(file, '.ts'))
  return folders.map((folder) => `- \`${folder}\`: ${namesIn(folder).join(', ')}`).join('\n')
}

/** "apps/server 80, packages/http 20 …" */
function byPackage(files: readonly string[]): string {
  const names = files.map((file) => file.split('/').slice(0, 2).join('/'))
  return [...new Set(names)].map((name) => `${name} ${names.filter((of) => of === name).length}`).join(', ')
}

async function isServing(): Promise<true | undefined> {
  if (server.exitCode !== null) throw new Error('the server ended')
  const response = await fetch(`${url}/api/status`).catch(() => undefined)
  return response?.ok === true ? true : undefined
}

/** Returns the counts since the last time. */
async function counts(): Promise<Counts> {
  rmSync(traceFile, { force: true })
  server.kill('SIGUSR2')
  return await until(readCounts)
}

/** `undefined` while the server writes them. */
function readCounts(): Counts | undefined {
  try {
    return JSON.parse(readFileSync(traceFile, 'utf8')) as Counts
  } catch {
    return undefined
  }
}
