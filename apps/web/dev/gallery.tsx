/** Every component of the kit on one page, for looking at: `vite`, then /dev/gallery.html. Not shipped. */
import '../src/styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { GlobalDialogs } from '../src/components/frame/global-dialogs.tsx'
import { Button } from '../src/components/ui/button.tsx'
import { TooltipLayer } from '../src/components/ui/overlay/tooltip.tsx'
import { Page, PageHeader } from '../src/components/ui/page.tsx'
import { loadTexts, startTranslation } from '../src/i18n/index.ts'
import { createQueryClient } from '../src/lib/api/query-client.ts'
import { useThemeOnDocument } from '../src/lib/browser/theme.ts'
import { Kit } from './kit.tsx'
import { SheetDemo } from './sheet-demo.tsx'
import { TablePage } from './table-page.tsx'

function KitPage() {
  const [sheet, setSheet] = useState(window.location.hash === '#sheet')
  return (
    <Page>
      <PageHeader
        title="Kit"
        description="Every component, for looking at"
        actions={<Button onClick={() => setSheet(true)}>Open sheet</Button>}
      />
      <Kit />
      <SheetDemo open={sheet} onClose={() => setSheet(false)} />
    </Page>
  )
}

function Gallery() {
  useThemeOnDocument()
  return (
    <>
      {window.location.hash === '#table' ? <TablePage /> : <KitPage />}
      <GlobalDialogs />
      <TooltipLayer />
    </>
  )
}

await startTranslation()
await loadTexts()
const rootRoute = createRootRoute({ component: Gallery })
const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() })
const position = document.getElementById('root')
if (position) {
  createRoot(position).render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
