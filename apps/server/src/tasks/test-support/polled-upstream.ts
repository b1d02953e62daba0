import type { TaskReport } from '@tollgate/providers'

interface Asked {
  readonly references: readonly string[]
  readonly key: string | null
}

/** Says of tasks what the test has it say, to whoever asks as `pollingOf` does. */
export function startPolledUpstream() {
  const seen: Asked[] = []
  const said = { status: 200, reports: {} as Record<string, TaskReport>, error: {} }
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const references = (await request.json()) as string[]
      seen.push({ references, key: request.headers.get('authorization') })
      const { status, reports, error } = said
      return Response.json(status === 200 ? reports : { error }, { status })
    },
  })
  return { seen, said, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
