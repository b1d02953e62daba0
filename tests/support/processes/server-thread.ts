import { closeSync, openSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

/** A server that `startServer` has this thread start. */
export interface ServerOrder {
  readonly id: number
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** File that receives what it prints. */
  readonly output: string
  /** An open socket that becomes its third descriptor. */
  readonly descriptor: number | undefined
}

export type ServerNews =
  | { readonly id: number; readonly kind: 'started'; readonly pid: number }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string }
  | { readonly id: number; readonly kind: 'ended'; readonly code: number }

const tell = (news: ServerNews) => parentPort?.postMessage(news)

parentPort?.on('message', ({ id, command, cwd, env, output, descriptor }: ServerOrder) => {
  const file = openSync(output, 'a')
  try {
    const more = descriptor === undefined ? [] : [descriptor]
    const server = Bun.spawn([...command], { cwd, env, stdio: ['ignore', file, file, ...more] })
    tell({ id, kind: 'started', pid: server.pid })
    void server.exited.then((code) => tell({ id, kind: 'ended', code }))
  } catch (error) {
    tell({ id, kind: 'failed', message: String(error) })
  } finally {
    closeSync(file)
  }
})
