import type { TaskReport } from '@tollgate/providers'

interface Requested {
  readonly references: readonly string[]
  readonly key: string | null
}

/** Says of tasks what the test has it say, to everybody who asks as `pollingOf` does. */
export function startPolledUpstream() {
  const seen: Requested[] = []
  const stated = {
    status: 200,
    reports: {} as Record<string, TaskReport>,
    error: {} as object | string,
    /** Tasks that break each answer that they are part of. */
    breaking: new Set<string>(),
    /** Tasks that no question about is answered. */
    hanging: new Set<string>(),
  }
  const server = Bun.serve({
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const references = (await request.json()) as string[]
      seen.push({ references, key: request.headers.get('authorization') })
      const { status, reports, error, breaking, hanging } = stated
      if (references.some((reference) => hanging.has(reference))) return new Promise<Response>(() => {})
      if (references.some((reference) => breaking.has(reference)))
        return new Response('out of order', { status: 500 })
      return typeof error === 'string'
        ? new Response(error, { status })
        : Response.json(status === 200 ? reports : { error }, { status })
    },
  })
  return { seen, said: stated, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
