import type { TaskReport } from '@tollgate/providers'

interface Asked {
  readonly references: readonly string[]
  readonly key: string | null
}

/** Says of tasks what the test has it say, to whoever asks as `pollingOf` does. */
export function startPolledUpstream() {
  const seen: Asked[] = []
  const said = { status: 200, reports: {} as Record<string, TaskReport> }
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const references = (await request.json()) as string[]
      seen.push({ references, key: request.headers.get('authorization') })
      return Response.json(said.reports, { status: said.status })
    },
  })
  return { seen, said, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
