import { findTool } from '../../scripts/lib/tools.mjs'
import { freePort } from './network/free-port.ts'
import { type ServerProcess, startServer } from './processes/server-process.ts'
import { until } from './until.ts'

/** A Redis server of the tests' own, without a file on the disk. */
export interface Redis {
  readonly url: string
  /** The server is gone from one moment to the next, with all that it had. */
  kill(): Promise<void>
  /** Starts it anew, empty, on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(): Promise<Redis> {
  const program = findTool('redis')
  if (program === undefined)
    throw new Error('no Redis server here; install one or name it in TOLLGATE_TEST_REDIS')
  const port = await freePort()
  let server: ServerProcess | undefined

  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    server = await startServer([program ?? '', ...options])
    await until(async () => (await responds(port)) || undefined)
  }

  async function kill(): Promise<void> {
    await server?.kill('SIGKILL')
  }

  await start()
  return { url: `redis://127.0.0.1:${port}`, kill, start, stop: kill }
}

async function responds(port: number): Promise<boolean> {
  return await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).then(
    (socket) => {
      socket.end()
      return true
    },
    () => false,
  )
}
