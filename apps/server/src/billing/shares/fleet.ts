/** Facts about the other nodes that spend from the same balances. */
export interface Fleet {
  /** Live nodes, this one included. */
  nodes(): number
  /**
   * Number of the lease under which this node holds its shares; `undefined` once it has been out of touch for so long that
   * others may return them to what is free. It must end before they do, by a monotonic clock; the next one has another number.
   */
  shareLease(): number | undefined
  /** Has it heard when this node, which was alone, is so no more. */
  onCompany?(heard: () => void): void
  /** Messages between nodes; without it none asks another to return a share. */
  readonly messages?: FleetMessages
}

/** Sends to all nodes and receives what the others send, in less than 8 kB of JSON each. Messages may be lost. */
export interface FleetMessages {
  send(message: object): Promise<void>
  /** @returns ends the subscription */
  subscribe(handler: (message: unknown) => void): () => void
}

/** A node that has the database for itself. */
export const aloneInFleet: Fleet = { nodes: () => 1, shareLease: () => 0 }
