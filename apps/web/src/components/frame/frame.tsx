import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { CloudOff, RefreshCw } from 'lucide-react'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api/api-client.ts'
import { checkConnectionNow, useDisconnected } from '../../lib/api/connection.ts'
import { useMissingParts, useNewBuild } from '../../lib/api/load-chunk.ts'
import { statusQuery } from '../../lib/api/status.ts'
import { startHotkeys, useHotkeys } from '../../lib/browser/hotkeys.ts'
import { useThemeOnDocument } from '../../lib/browser/theme.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { useFavicon } from '../../lib/page-title.ts'
import { usePageGeneration, useUser } from '../../lib/session/session.ts'
import { currentView } from '../../lib/session/view.ts'
import { toast } from '../../lib/toast.ts'
import { TooltipLayer } from '../ui/overlay/tooltip.tsx'
import { GlobalDialogs } from './global-dialogs.tsx'
import { OpenPalette } from './open-palette.ts'
import { FramePalette } from './palette/frame-palette.tsx'
import { TopBar } from './top-bar.tsx'

const ViewBar = lazyComponent(() => import('./view-bar.tsx'), 'ViewBar')
const HotkeyHelp = lazyComponent(() => import('./hotkey-help.tsx'), 'HotkeyHelp')

type Overlay = 'none' | 'palette' | 'keys'

/** Shows the frame around every page. */
export function Frame() {
  const { t } = useTranslation()
  const [overlay, setOverlay] = useState<Overlay>('none')
  const [view] = useState(currentView)
  const openPalette = useCallback(() => setOverlay('palette'), [])
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
        <TopBar onOpenPalette={openPalette} />
        <Suspense>{view && <ViewBar view={view} />}</Suspense>
        <StateBars />
        <OpenPalette value={openPalette}>
          <Outlet key={usePageGeneration()} />
        </OpenPalette>
      </div>
      <GlobalDialogs />
      <TooltipLayer />
      <FramePalette
        open={overlay === 'palette'}
        onClose={() => setOverlay('none')}
        onShowKeys={() => setOverlay('keys')}
      />
      <Suspense>{overlay === 'keys' && <HotkeyHelp onClose={() => setOverlay('none')} />}</Suspense>
    </>
  )
}

/**
 * Watches the status of the server: the last visit let the page open at once, and this notices when the server has been set up anew
 * since, or fails to respond.
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
  const user = useUser()
  useHotkeys([
    { keys: 'mod+k', label: t('keys.palette'), group: 'everywhere', run: () => show('palette') },
    { keys: '?', label: t('keys.help'), group: 'everywhere', run: () => show('keys') },
    {
      keys: 'g h',
      label: t(user ? 'nav.siteHome' : 'nav.home'),
      group: 'go',
      run: () => void navigate({ to: '/' }),
    },
  ])
}

/** Above the page and not over it: what is true of everything on screen. */
function StateBars() {
  const { t } = useTranslation()
  const isDisconnected = useDisconnected()
  const isMissing = useMissingParts()
  const isNewBuild = useNewBuild()
  return (
    <div role="status">
      {/* The visible content stays, and may be out of date. */}
      {isDisconnected && (
        <StateBar text={t('connection.lost')} action={t('connection.askNow')} onPress={checkConnectionNow} />
      )}
      {/* The page stays, and what was typed. */}
      {isMissing && <StateBar text={t('crash.notLoaded')} />}
      {/* The person says when to take a newer console. */}
      {isNewBuild && (
        <StateBar
          isNews
          text={t('newBuild.ready')}
          action={t('newBuild.reload')}
          onPress={() => window.location.reload()}
        />
      )}
    </div>
  )
}

interface StateBarProps {
  readonly isNews?: boolean
  readonly text: string
  readonly action?: string
  readonly onPress?: () => void
}

function StateBar({ isNews, text, action, onPress }: StateBarProps) {
  const Icon = isNews ? RefreshCw : CloudOff
  return (
    <div
      className={`flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 px-4 py-1.5 text-xs ${isNews ? 'bg-accent-soft text-accent-text' : 'bg-warn-soft text-warn'}`}
    >
      <span className="inline-flex items-center gap-1.5">
        <Icon className="size-3.5 shrink-0" aria-hidden />
        {text}
      </span>
      {action && (
        <button
          type="button"
          className="rounded-sm px-1 py-0.5 font-medium underline underline-offset-2 max-sm:min-h-10"
          onClick={onPress}
        >
          {action}
        </button>
      )}
    </div>
  )
}
