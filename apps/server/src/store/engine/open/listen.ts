import type { ListenerOptions, PostgresListener } from '../connections/postgres-listener.ts'

/** Hears what nodes of one PostgreSQL database announce. */
export type Listener = Pick<PostgresListener, 'silentMs' | 'start' | 'notify' | 'close'>
export type { ListenerOptions }

/** A listener that is not connected yet: `start` it. */
export async function createListener(options: ListenerOptions): Promise<Listener> {
  // Loaded by those who use it.
  const { PostgresListener } = await import('../connections/postgres-listener.ts')
  return new PostgresListener(options)
}
