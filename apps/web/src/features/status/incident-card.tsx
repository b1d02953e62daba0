import type { PublicIncident } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { phaseTones } from '../../components/status-page/state-words.ts'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { localList } from '../../i18n/local-list.ts'
import { formatDateTime } from '../../lib/format/format.ts'

interface IncidentCardProps {
  readonly incident: PublicIncident
}

/** Scrolls to the incident that the address names: the browser looked for it before the page had read it. */
function showTarget(card: HTMLElement | null): void {
  if (card !== null && location.hash === `#${card.id}`) card.scrollIntoView()
}

/** A published incident with its updates, the newest first. */
export function IncidentCard({ incident }: IncidentCardProps) {
  const { t } = useTranslation('statusPage')
  const { title, state, models, started_at: from, ended_at: to, updates } = incident
  return (
    <article
      id={`incident-${incident.id}`}
      ref={showTarget}
      className="flex flex-col gap-3 scroll-mt-16 rounded-lg border bg-surface px-4 py-3 target:border-accent"
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 break-words font-medium text-sm">{title}</h3>
        <Tag tone={phaseTones[state]}>{t(`phase.${state}`)}</Tag>
        <p className="figures w-full text-muted text-xs">
          {to === 0
            ? t('from', { from: formatDateTime(from) })
            : t('span', { from: formatDateTime(from), to: formatDateTime(to) })}
        </p>
      </header>
      {models.length > 0 && (
        <p className="text-xs">
          <span className="text-muted">{t('affected')}</span>{' '}
          <span className="wrap-anywhere font-mono">{localList(models)}</span>
        </p>
      )}
      <ol aria-label={t('updates')} className="flex flex-col gap-3 border-l-2 pl-3">
        {updates.toReversed().map(({ at, state: phase, text }) => (
          <li key={`${at} ${phase} ${text}`} className="text-sm">
            <p className="flex flex-wrap gap-x-2 text-xs">
              <span className="font-medium">{t(`phase.${phase}`)}</span>
              <RelativeTime at={at} className="figures text-muted" />
            </p>
            <p className="whitespace-pre-line break-words">{text}</p>
          </li>
        ))}
      </ol>
    </article>
  )
}
