import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tests/support/network/free-port.ts'
import { operate } from '../../tests/support/operator.ts'
import { until } from '../../tests/support/until.ts'
import { startUpstream } from '../../tests/support/upstream/upstream.ts'
import { at, root } from '../lib/root.mjs'

/**
 * Prints the source files that one warm call runs through, and their number: those whose functions are entered more often
 * during the call than while the server idles as long.
 */
const model = 'gpt-4o-mini'
const calls: Readonly<Record<string, object>> = {
  chat: { model, messages: [{ role: 'user', content: 'Hello' }] },
  'chat-stream': { model, messages: [{ role: 'user', content: 'Hello' }], stream: true },
}

/** Until nothing of a call is still to be written. */
const settledMs = 3000

type Counts = Readonly<Record<string, number>>

const [name = 'chat-stream'] = process.argv.slice(2)
const body = calls[name]
if (body === undefined) throw new Error(`no call is named ${name}: use ${Object.keys(calls).join(' or ')}`)
const folder = mkdtempSync(join(tmpdir(), 'tollgate-trace-'))
const traceFile = join(folder, 'counts.json')
const url = `http://127.0.0.1:${await freePort()}`
const server = startServer()
const upstream = await startUpstream()
try {
  const files = await filesOfCall(body)
  console.log(`${files.join('\n')}\n${files.length} files run for one ${name} call`)
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

async function filesOfCall(request: object): Promise<readonly string[]> {
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
  await Bun.sleep(settledMs)
  await counts()
  const startedAt = performance.now()
  await call()
  const during = await counts()
  const tookMs = performance.now() - startedAt
  await Bun.sleep(settledMs)
  await counts()
  await Bun.sleep(tookMs)
  const idle = await counts()
  return Object.keys(during)
    .filter((file) => (during[file] ?? 0) > (idle[file] ?? 0))
    .toSorted()
}

async function isServing(): Promise<true | undefined> {
  const response = await fetch(`${url}/api/status`).catch(() => undefined)
  return response?.ok === true ? true : undefined
}

/** What was counted since the last time. */
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
