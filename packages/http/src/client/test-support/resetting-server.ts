import { Worker } from 'node:worker_threads'

/** A server in a thread of its own, which goes on while the test's own thread is at a stand. */
export async function startResettingServer() {
  const worker = new Worker(new URL('./resetting-worker.ts', import.meta.url))
  const reported = <Value>() =>
    new Promise<Value>((resolve) => {
      worker.once('message', (value: Value) => resolve(value))
    })
  const port = await reported<number>()
  return {
    url: `http://127.0.0.1:${port}/`,
    resetNow: () => worker.postMessage('reset'),
    /** The bodies of the requests that came. */
    async stop(): Promise<readonly string[]> {
      const bodies = reported<readonly string[]>()
      worker.postMessage('bodies')
      const received = await bodies
      await worker.terminate()
      return received
    },
  }
}
