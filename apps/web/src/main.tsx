import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { currentLanguage, onLanguageChange, startTranslation, translate } from './i18n/index.ts'
import { connectApiClient } from './lib/api/api-client.ts'
import { watchConnection } from './lib/api/connection.ts'
import { createQueryClient } from './lib/api/query-client.ts'
import { startServiceWorker } from './lib/api/service-worker.ts'
import { requestConsent } from './lib/session/consent.ts'
import { requestProof } from './lib/session/reauthentication.ts'
import { createConsoleRouter } from './router.ts'
import { recoverWithServer } from './routes/recovery.ts'
import { createSessionFlow } from './routes/session-flow.ts'

const queryClient = createQueryClient()
const router = createConsoleRouter(queryClient)

const { onUnauthorized } = createSessionFlow(router, queryClient)

connectApiClient({
  language: currentLanguage,
  text: (code, details) => translate(`failure.${code}`, details),
  onUnauthorized,
  prove: requestProof,
  consent: requestConsent,
})
recoverWithServer(router, queryClient)
watchConnection()
onLanguageChange(() => void queryClient.invalidateQueries())

/** Not awaited by this file: pages import from its chunk, which would wait for them while they wait for it. */
async function start(): Promise<void> {
  // Until the first page is there, the frame that index.html draws stays. Its code and the texts come side by side.
  await Promise.all([startTranslation(), router.load()])
  const place = document.getElementById('root')
  if (!place) throw new Error('index.html has no #root')
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
startServiceWorker()
