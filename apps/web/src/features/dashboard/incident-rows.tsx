import { Link } from '@tanstack/react-router'
import type { Incident } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import type { OpenIncidents } from '../../components/incidents/incident-api.ts'
import { IncidentMenu } from '../../components/incidents/incident-menu.tsx'
import { incidentTone, useIncidentWords } from '../../components/incidents/incident-words.ts'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { actionLink, ProblemRow } from './problem-row.tsx'

/** Incidents with a row of their own; their page has the others. */
const maxRows = 10

/** Shows the open incidents, one row a cause, and how many were accepted. */
export function IncidentRows({ incidents }: { readonly incidents: OpenIncidents }) {
  const { t } = useTranslation('incidents')
  const { open, more, quiet } = incidents
  return (
    <>
      <FirstOf
        items={open}
        max={maxRows}
        total={open.length + more}
        more={(count) => (
          <ProblemRow
            tone="bad"
            title={t('more', { count })}
            action={
              <Link to="/incidents" search={{ state: 'open' }} className={actionLink}>
                {t('showAll')}
              </Link>
            }
          />
        )}
      >
        {(incident) => <IncidentItem key={incident.id} incident={incident} />}
      </FirstOf>
      {quiet > 0 && (
        <ProblemRow
          tone="neutral"
          title={t('quiet', { count: quiet })}
          action={
            <Link to="/incidents" search={{ state: 'quiet' }} className={actionLink}>
              {t('showAll')}
            </Link>
          }
        />
      )}
    </>
  )
}

function IncidentItem({ incident }: { readonly incident: Incident }) {
  const { t } = useTranslation('incidents')
  const words = useIncidentWords()
  const mend = words.mend(incident)
  const known = [...words.losses(incident), ...words.concerned(incident), words.reason(incident)]
  return (
    <ProblemRow
      tone={incidentTone(incident)}
      title={words.title(incident)}
      isActionBelow
      action={
        <span className="flex items-center gap-2 max-sm:justify-between">
          {mend && (
            <Link {...mend.link} className={actionLink}>
              {t(`mend.${mend.label}`)}
            </Link>
          )}
          <IncidentMenu incident={incident} />
        </span>
      }
    >
      {t('since')} <RelativeTime at={incident.opened_at} />
      {known
        .filter((text) => text !== '')
        .map((text) => (
          <span key={text}> · {text}</span>
        ))}
    </ProblemRow>
  )
}
