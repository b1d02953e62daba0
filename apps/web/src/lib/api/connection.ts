import { calls } from '@tollgate/api'
import { createSharedState, useSharedState } from '../shared-state.ts'

/** `doubtful`: a call found no server, and it is being asked again before anything is said. */
type Connection = 'up' | 'doubtful' | 'down'

/** Pauses before each question, in ms; the last one repeats. A server that is back is noticed well within five seconds. */
const delaysMs = [0, 500, 1000, 2000, 3000] as const
const responseLimitMs = 4000

const connection = createSharedState<Connection>('up')
let timer: ReturnType<typeof setTimeout> | undefined
let attempts = 0

/** A call found no server: polls until it responds. */
export function connectionLost(): void {
  if (connection.get() !== 'up') return
  connection.set('doubtful')
  attempts = 0
  scheduleCheck()
}

/** Marks the server as reachable, after a call was answered. */
export function connectionFound(): void {
  clearTimeout(timer)
  connection.set('up')
}

/** Asks at once, without waiting for its turn. */
export function checkConnectionNow(): void {
  if (connection.get() === 'up') return
  clearTimeout(timer)
  void checkConnection()
}

/** Resolves once the server responds; immediately unless it is known to be down. */
export function untilConnected(): Promise<void> {
  return new Promise((resolve) => {
    if (connection.get() === 'up') return resolve()
    const stop = connection.subscribe(() => {
      if (connection.get() !== 'up') return
      stop()
      resolve()
    })
  })
}

/** Tells whenever the server is back after it had been away. */
export function onReconnected(listener: () => void): void {
  let wasDown = false
  connection.subscribe(() => {
    const now = connection.get()
    if (now === 'down') wasDown = true
    if (now !== 'up' || !wasDown) return
    wasDown = false
    listener()
  })
}

/** Decides whether the server is away, as far as this tab has seen. */
export function useDisconnected(): boolean {
  return useSharedState(connection) === 'down'
}

/** The network or the person came back: no need to wait for the next turn. Called once by the application. */
export function watchConnection(): void {
  window.addEventListener('offline', connectionLost)
  window.addEventListener('online', checkConnectionNow)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) checkConnectionNow()
  })
}

function scheduleCheck(): void {
  timer = setTimeout(checkConnection, delaysMs[Math.min(attempts, delaysMs.length - 1)])
}

async function checkConnection(): Promise<void> {
  attempts++
  const signal = AbortSignal.timeout(responseLimitMs)
  const response = await fetch(calls.status.read.path, { cache: 'no-store', signal }).catch(() => undefined)
  if (response?.ok) return connectionFound()
  if (connection.get() === 'up') return
  connection.set('down')
  clearTimeout(timer)
  scheduleCheck()
}
