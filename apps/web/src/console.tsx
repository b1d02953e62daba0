import { QueryClientProvider } from '@tanstack/react-query'
import { type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { currentLanguage, onLanguageChange, translate } from './i18n/index.ts'
import { connectApiClient } from './lib/api/api-client.ts'
import { createQueryClient } from './lib/api/query-client.ts'
import { requestConsent } from './lib/session/consent.ts'
import { requestProof } from './lib/session/reauthentication.ts'
import { createConsoleRouter } from './router.ts'
import { recoverWithServer } from './routes/recovery.ts'
import { createSessionFlow } from './routes/session-flow.ts'

/**
 * Wires the console together: its pages, its calls and its session.
 * @param history the browser's by default
 */
export function createConsole(history?: RouterHistory) {
  const queryClient = createQueryClient()
  const router = createConsoleRouter(queryClient, history)
  const { onUnauthorized } = createSessionFlow(router, queryClient)
  connectApiClient({
    language: currentLanguage,
    text: (code, details) => translate(`failure.${code}`, details),
    onUnauthorized,
    prove: requestProof,
    consent: requestConsent,
  })
  recoverWithServer(router, queryClient)
  onLanguageChange(() => void queryClient.invalidateQueries())
  const element = (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
  return { router, queryClient, element }
}
