/** A question to all workers: figures for a scrape, whether each can serve. */
export type Topic = 'metrics' | 'readiness'

/** The response of one worker to a topic; only the module that asks for it knows its form. */
export interface Statement {
  /** 0 for what the supervisor says itself. */
  readonly worker: number
  /** The worker ends soon, and takes no new connections. */
  readonly isLeaving: boolean
  readonly value: unknown
}

/** A message of a worker to its supervisor. */
export type FromWorker =
  /** It accepts connections from now on. `notes` are lines for the terminal. */
  | { readonly type: 'listening'; readonly notes: readonly string[] }
  /** It takes calls from now on, or takes none. */
  | { readonly type: 'fit'; readonly isFit: boolean }
  | { readonly type: 'gather'; readonly id: number; readonly topic: Topic }
  | { readonly type: 'response'; readonly id: number; readonly value: unknown }
  /** Its event loop runs. */
  | { readonly type: 'pong' }
  /** The last it has to say before it ends. */
  | { readonly type: 'last'; readonly topic: Topic; readonly value: unknown }
  /** Counts of limits that all workers share, for the others. */
  | { readonly type: 'counted'; readonly counts: unknown }

/** A message of the supervisor to a worker. */
export type ToWorker =
  /** End in good order. `isLast`: no process accepts from its queue after it. */
  | { readonly type: 'stop'; readonly isLast: boolean }
  | { readonly type: 'request'; readonly id: number; readonly topic: Topic }
  | { readonly type: 'ping' }
  | { readonly type: 'gathered'; readonly id: number; readonly statements: readonly Statement[] }
  | { readonly type: 'counted'; readonly counts: unknown }
