/**
 * What kept the database from answering.
 * `full`: no room to write · `read-only`: it may not be written · `unavailable`: it cannot be reached ·
 * `busy`: it was held by somebody else for too long · `failed`: anything else, a fault of the program.
 */
export type FaultKind = 'full' | 'read-only' | 'unavailable' | 'busy' | 'failed'

export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The store cannot be opened. The message is one sentence for the operator, without credentials. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}

/** A statement of a batch did not change as many rows as it had to; the batch was rolled back. */
export class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError'
}
