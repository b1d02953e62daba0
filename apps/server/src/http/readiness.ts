interface Dependencies {
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>
  /** False while charges cannot be recorded. */
  readonly admitting: () => boolean
  readonly stopping: () => boolean
}

/** Reports whether a load balancer should send calls here. A node without its database still serves, but reports 503. */
export function createReadiness({ ping, admitting, stopping }: Dependencies): () => Promise<Response> {
  return async () => {
    const database = await ping().then(
      () => true,
      () => false,
    )
    const ready = database && admitting() && !stopping()
    return Response.json(
      { ready, database, admitting: admitting(), stopping: stopping() },
      { status: ready ? 200 : 503 },
    )
  }
}
