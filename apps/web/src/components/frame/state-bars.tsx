import { CloudOff, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNewBuild } from '../../lib/build.ts'
import { checkConnectionNow, useDisconnected } from '../../lib/connection.ts'

const bar = 'flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 px-4 py-1.5 text-xs'
const barButton = 'rounded-sm px-1 py-0.5 font-medium underline underline-offset-2 max-sm:min-h-10'

/** Above the page and not over it: what is true of everything on screen. */
export function StateBars() {
  return (
    <div role="status">
      <ConnectionBar />
      <NewBuildBar />
    </div>
  )
}

/** The server is away: what is on screen stays, and may be out of date. */
function ConnectionBar() {
  const { t } = useTranslation()
  if (!useDisconnected()) return null
  return (
    <div className={`${bar} bg-warn-soft text-warn`}>
      <span className="inline-flex items-center gap-1.5">
        <CloudOff className="size-3.5 shrink-0" aria-hidden />
        {t('connection.lost')}
      </span>
      <button type="button" className={barButton} onClick={checkConnectionNow}>
        {t('connection.askNow')}
      </button>
    </div>
  )
}

/** The server has a newer console than this tab: the person says when to take it. */
function NewBuildBar() {
  const { t } = useTranslation()
  if (!useNewBuild()) return null
  return (
    <div className={`${bar} bg-accent-soft text-accent-text`}>
      <span className="inline-flex items-center gap-1.5">
        <RefreshCw className="size-3.5 shrink-0" aria-hidden />
        {t('newBuild.ready')}
      </span>
      <button type="button" className={barButton} onClick={() => window.location.reload()}>
        {t('newBuild.reload')}
      </button>
    </div>
  )
}
