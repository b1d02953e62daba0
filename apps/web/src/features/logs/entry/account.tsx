import type { LogEntry, LogOther } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { AttemptsTable, SessionLine } from '../attempts/attempts-table.tsx'
import { ChargeSection } from '../charge/charge-section.tsx'
import { ChargeActions } from '../explained/charge-actions.tsx'
import { useFailureText } from '../failure/use-failure-text.ts'
import { isAboutCall, isCall, isFailedCall, mayBeReplayed } from '../log-type.ts'
import { ReplaySection } from '../replay/replay-section.tsx'
import { TimelineChart } from '../timeline/timeline-chart.tsx'

/** One part of what a row tells, under its title. */
export interface AccountPart {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
}

/** Returns the parts of a row's account, in reading order: the failure or event, the tried channels, the time and the money. */
export function useAccount(entry: LogEntry, other: LogOther, admin: boolean): readonly AccountPart[] {
  const { t } = useTranslation('logs')
  const { attempts, affinity } = other.admin_info ?? {}
  const parts: readonly (AccountPart | false)[] = [
    isFailedCall(entry) && {
      id: 'failure',
      title: t('section.failure'),
      content: <FailureSection entry={entry} other={other} />,
    },
    admin &&
      mayBeReplayed(entry, other) &&
      entry.request_id !== '' && {
        id: 'replay',
        title: t('section.replay'),
        content: <ReplaySection entry={entry} other={other} />,
      },
    !isAboutCall(entry) && { id: 'event', title: t('section.event'), content: <EventText entry={entry} /> },
    isCall(entry) && {
      id: 'charge',
      title: t('section.charge'),
      content: (
        <div className="flex flex-col gap-3">
          <ChargeSection entry={entry} other={other} />
          <ChargeActions entry={entry} admin={admin} />
        </div>
      ),
    },
    isAboutCall(entry) &&
      attempts !== undefined && {
        id: 'attempts',
        title: t('section.attempts'),
        content: (
          <>
            <AttemptsTable entry={entry} attempts={attempts} />
            {affinity && <SessionLine entry={entry} affinity={affinity} />}
          </>
        ),
      },
    isAboutCall(entry) && {
      id: 'timeline',
      title: t('section.timeline'),
      content: <TimelineChart entry={entry} other={other} />,
    },
  ]
  return parts.filter((part) => part !== false)
}

/** A row that is about no call. */
function EventText({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('logs')
  return (
    <>
      {entry.quota !== 0 && (
        <p className="mb-1 font-semibold text-xl">
          <Money quota={entry.quota} exact />
        </p>
      )}
      <p className="whitespace-pre-wrap break-words">{entry.content || t('entry.noContent')}</p>
    </>
  )
}

/** Shows the reason of a failed call, the error its caller received, and that it cost nothing. */
function FailureSection({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const sentence = useFailureText()(entry, other)
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="bad" title={sentence}>
        {t('entry.uncharged')}
      </Notice>
      {entry.content !== '' && entry.content !== sentence && (
        <figure>
          <figcaption className="text-muted text-xs">{t('failure.told')}</figcaption>
          <blockquote className="mt-1 whitespace-pre-wrap break-words border-l-2 pl-3 text-sm">
            {entry.content}
          </blockquote>
        </figure>
      )}
    </div>
  )
}
