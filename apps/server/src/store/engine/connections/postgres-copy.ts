import type { Submittable } from 'pg'

/** Members of the driver's connection for COPY, which its types lack. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(bytes: Uint8Array): void
  endCopyFrom(): void
}

/**
 * `copy … from stdin` of rows that are in memory, as a query of the driver: it submits itself, and hears what the server sends
 * back. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export class CopyIn implements Submittable {
  readonly done: Promise<void>
  readonly #sql: string
  readonly #rows: Uint8Array
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void

  constructor(sql: string, rows: Uint8Array) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.done = promise
    this.#sql = sql
    this.#rows = rows
    this.#resolve = resolve
    this.#reject = reject
  }

  readonly submit = (connection: unknown): void => {
    asCopyConnection(connection).query(this.#sql)
  }

  handleCopyInResponse(connection: unknown): void {
    const copying = asCopyConnection(connection)
    copying.sendCopyFromChunk(this.#rows)
    copying.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve()
  }

  handleError(error: unknown): void {
    this.#reject(error)
  }
}

function asCopyConnection(connection: unknown): CopyConnection {
  // The driver calls these methods with its own connection alone.
  return connection as CopyConnection
}
