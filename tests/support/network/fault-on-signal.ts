import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the real server before its own code (`bun --preload`): a signal raises an unexpected fault, outside
 * any call. SIGUSR1 throws in a timer, SIGUSR2 leaves a rejection unhandled.
 */
if (isMainThread) {
  process.on('SIGUSR1', () => {
    setTimeout(() => {
      throw new Error('thrown in a timer')
    })
  })
  process.on('SIGUSR2', () => {
    void Promise.reject(new Error('rejected to nobody'))
  })
}
