import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api-client.ts'
import { startHotkeys, useHotkeys } from '../../lib/hotkeys.ts'
import { usePageGeneration } from '../../lib/page-generation.ts'
import { useFavicon } from '../../lib/page-title.ts'
import { statusQuery } from '../../lib/status.ts'
import { useThemeOnDocument } from '../../lib/theme.ts'
import { toast } from '../../lib/toast.ts'
import { TooltipLayer } from '../ui/tooltip.tsx'
import { GlobalDialogs } from './global-dialogs.tsx'
import { StateBars } from './state-bars.tsx'
import { TopBar } from './top-bar.tsx'

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })),
)
const HotkeyHelp = lazy(() => import('./hotkey-help.tsx').then((module) => ({ default: module.HotkeyHelp })))

type Overlay = 'none' | 'palette' | 'keys'

/** What surrounds every page. */
export function Frame() {
  const { t } = useTranslation()
  const [overlay, setOverlay] = useState<Overlay>('none')
  useThemeOnDocument()
  useFavicon()
  useEffect(startHotkeys, [])
  useFrameHotkeys(setOverlay)
  useStatusWatch()
  return (
    <>
      <div className="flex min-h-dvh flex-col sm:h-dvh">
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded bg-accent px-3 py-2 text-on-accent text-sm focus:translate-y-0"
        >
          {t('nav.skip')}
        </a>
        <TopBar onOpenPalette={() => setOverlay('palette')} />
        <StateBars />
        <Outlet key={usePageGeneration()} />
      </div>
      <GlobalDialogs />
      <TooltipLayer />
      <Suspense>
        {overlay === 'palette' && (
          <CommandPalette onClose={() => setOverlay('none')} onShowKeys={() => setOverlay('keys')} />
        )}
        {overlay === 'keys' && <HotkeyHelp onClose={() => setOverlay('none')} />}
      </Suspense>
    </>
  )
}

/**
 * What the last visit learnt let the page open at once; when the server has been set up anew since, or fails to tell, this
 * notices.
 */
function useStatusWatch(): void {
  const navigate = useNavigate()
  const { data, error } = useQuery(statusQuery)
  useEffect(() => {
    if (data && !data.setup) void navigate({ to: '/setup' })
  }, [data, navigate])
  useEffect(() => {
    if (error instanceof ApiError && error.code !== 'offline') toast.error(error.message)
  }, [error])
}

function useFrameHotkeys(show: (overlay: Overlay) => void): void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  useHotkeys([
    { keys: 'mod+k', label: t('keys.palette'), group: 'everywhere', run: () => show('palette') },
    { keys: '?', label: t('keys.help'), group: 'everywhere', run: () => show('keys') },
    { keys: 'g h', label: t('nav.home'), group: 'go', run: () => void navigate({ to: '/' }) },
  ])
}
