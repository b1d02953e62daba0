import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { currentLanguage, startTranslation, translate } from './i18n/index.ts'
import { connectApiClient } from './lib/api-client.ts'
import { createQueryClient } from './lib/query-client.ts'
import { clearUser } from './lib/session.ts'
import { createConsoleRouter } from './router.ts'
import { needsLogin } from './routes/layout-routes.ts'

const queryClient = createQueryClient()
const router = createConsoleRouter(queryClient)

connectApiClient({
  language: currentLanguage,
  text: (code, details) => translate(`failure.${code}`, details),
  onUnauthorized: () => {
    clearUser()
    const { location, matches } = router.state
    // Public pages stay: they only lose what needed the session.
    if (matches.some(({ routeId }) => needsLogin(routeId)))
      void router.navigate({ to: '/login', search: { expired: true, redirect: location.href } })
  },
})

/** Not awaited by this file: pages import from its chunk, which would wait for them while they wait for it. */
async function start(): Promise<void> {
  await startTranslation()
  // Until the first page is there, the frame that index.html draws stays.
  await router.load()
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
