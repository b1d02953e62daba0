interface Dependencies {
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>
  /** False while charges cannot be recorded. */
  readonly admitting: () => boolean
  readonly stopping: () => boolean
}

/** Says plainly whether calls should come here: a node without its database serves what it knows, but says so. */
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
