import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConsole } from './console.tsx'
import { startTranslation } from './i18n/index.ts'
import { watchConnection } from './lib/api/connection.ts'
import { untilMissingParts } from './lib/api/load-chunk.ts'
import { startServiceWorker } from './lib/api/service-worker.ts'

const { router, element } = createConsole()
watchConnection()

/** Not awaited by this file: pages import from its chunk, which would wait for them while they wait for it. */
async function start(): Promise<void> {
  // Until the first page is there, the frame that index.html draws stays. Its code and the texts come side by side.
  // A page whose file does not load is drawn as one that loads, with the frame that says so.
  await Promise.all([startTranslation(), Promise.race([router.load(), untilMissingParts()])])
  const position = document.getElementById('root')
  if (!position) throw new Error('index.html has no #root')
  createRoot(position).render(<StrictMode>{element}</StrictMode>)
}

void start()
startServiceWorker()
