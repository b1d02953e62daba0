import type { QueryClient } from '@tanstack/react-query'
import { onReconnected } from '../lib/api/connection.ts'
import { announceNewBuild, findNewBuild } from '../lib/api/load-chunk.ts'
import type { ConsoleRouter } from '../router.ts'

/** Reads the visible queries again when the server is back, and opens the pages that could not be opened. */
export function recoverWithServer(router: ConsoleRouter, queryClient: QueryClient): void {
  onReconnected(() => {
    void queryClient.invalidateQueries()
    if (router.state.matches.some(({ status }) => status === 'error')) void router.invalidate()
    void lookForNewBuild()
  })
}

/** A server that was away may have come back as another version. */
async function lookForNewBuild(): Promise<void> {
  const entry = await findNewBuild().catch(() => undefined)
  if (entry !== undefined) announceNewBuild()
}
