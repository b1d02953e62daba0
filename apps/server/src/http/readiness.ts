interface Dependencies {
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>
  /** False while charges cannot be recorded, or changes of other nodes not heard. */
  readonly admitting: () => boolean
  /** False while this node does not hear of changes that other nodes make. */
  readonly hearing: () => boolean
  readonly stopping: () => boolean
}

/** Reports whether a load balancer should send calls here. A node without its database still serves, but reports 503. */
export function createReadiness({
  ping,
  admitting,
  hearing,
  stopping,
}: Dependencies): () => Promise<Response> {
  return async () => {
    const database = await ping().then(
      () => true,
      () => false,
    )
    const ready = database && admitting() && !stopping()
    return Response.json(
      { ready, database, admitting: admitting(), hearing: hearing(), stopping: stopping() },
      { status: ready ? 200 : 503 },
    )
  }
}
