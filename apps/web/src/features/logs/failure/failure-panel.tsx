import { useQuery } from '@tanstack/react-query'
import type { LogFailures } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '../../../components/ui/field/segmented-control.tsx'
import { FirstOf } from '../../../components/ui/first-of.tsx'
import { LinkButton } from '../../../components/ui/link-button.tsx'
import { ErrorState, Skeleton } from '../../../components/ui/states.tsx'
import { formatInteger } from '../../../lib/format/format.ts'
import { type LogView, logFailuresQuery } from '../api.ts'
import type { LogFilter } from '../log-filter.ts'
import {
  causesOf,
  type FailureCause,
  type FailureDimension,
  type FailureRemedy,
  type FailureSubject,
  failureDimensions,
  ownRemedyOf,
  remedyOf,
  withCause,
} from './failure-groups.ts'
import { useReasonName } from './use-reason-name.ts'

interface FailurePanelProps extends LogView {
  readonly onShow: (filter: LogFilter) => void
}

/** Shows the causes of failures under the filter: each cause narrows the log to its calls. */
export function FailurePanel({ admin, filter, onShow }: FailurePanelProps) {
  const { t } = useTranslation('logs')
  const [by, setBy] = useState<FailureDimension>('reason')
  const { data, error, refetch, isFetching } = useQuery(logFailuresQuery({ admin, filter }))
  const dimensions = admin ? failureDimensions : (['reason', 'model'] as const)
  return (
    <div className="flex flex-col gap-2.5">
      <h2 className="font-semibold text-sm">{t('failures.title')}</h2>
      <div className="flex">
        <SegmentedControl
          label={t('failures.by')}
          value={by}
          options={dimensions.map((value) => ({ value, label: t(`filter.${value}`) }))}
          onChange={setBy}
        />
      </div>
      {data ? (
        <Causes
          failures={data}
          by={by}
          admin={admin}
          onChoose={(cause) => onShow(withCause(filter, cause))}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <div className="flex h-40 flex-col gap-3 pt-2" aria-busy>
          <Skeleton />
          <Skeleton />
          <Skeleton className="w-2/3!" />
        </div>
      )}
    </div>
  )
}

const maxCauses = 8

interface CausesProps {
  readonly failures: LogFailures
  readonly by: FailureDimension
  readonly admin: boolean
  readonly onChoose: (cause: FailureCause) => void
}

function Causes({ failures: { groups, total, complete }, by, admin, onChoose }: CausesProps) {
  const { t } = useTranslation('logs')
  const causes = causesOf(groups, by)
  const remedyFor = admin ? remedyOf : ownRemedyOf
  const hasRemedies = causes.some((cause) => remedyFor(cause) !== undefined)
  const max = causes[0]?.count ?? 1
  return (
    <>
      {causes.length === 0 ? (
        <p className="py-4 text-muted text-xs">
          {t(by === 'channel' ? 'failures.noChannel' : 'failures.none')}
        </p>
      ) : (
        <ul className="-mx-2 flex flex-col">
          <FirstOf as="li" items={causes} max={maxCauses}>
            {(cause) => (
              <li
                key={`${cause.key} ${cause.isPart ? cause.beside?.key : ''}`}
                className="flex items-center gap-1"
              >
                <CauseButton cause={cause} share={cause.count / max} onChoose={onChoose} />
                {hasRemedies && (
                  <span className="w-27 shrink-0">
                    <Remedy remedy={remedyFor(cause)} />
                  </span>
                )}
              </li>
            )}
          </FirstOf>
        </ul>
      )}
      {!complete && (
        <p className="text-muted text-xs">{t('failures.newest', { number: formatInteger(total) })}</p>
      )}
    </>
  )
}

interface CauseButtonProps {
  readonly cause: FailureCause
  /** Share of the commonest cause. */
  readonly share: number
  readonly onChoose: (cause: FailureCause) => void
}

function CauseButton({ cause, share, onChoose }: CauseButtonProps) {
  const { key, count, beside } = cause
  const reasonName = useReasonName()
  const nameOf = ({ dimension, key: code, name }: FailureSubject) =>
    dimension === 'reason' ? reasonName(code) : name
  return (
    <button
      type="button"
      disabled={key === ''}
      onClick={() => onChoose(cause)}
      className="flex min-w-0 flex-1 flex-col gap-1 rounded-sm px-2 py-1.5 text-left hover:bg-hover disabled:hover:bg-transparent max-sm:py-2.5"
    >
      <span className="flex w-full items-baseline gap-2 text-sm">
        <span className="min-w-0 flex-1 truncate">
          {nameOf(cause)}
          {beside && <span className="text-muted">{` · ${nameOf(beside)}`}</span>}
        </span>
        <span className="figures shrink-0 font-medium">{formatInteger(count)}</span>
      </span>
      <span className="h-1 w-full rounded-full bg-sunken" aria-hidden>
        <span className="block h-full rounded-full bg-bad/70" style={{ width: `${share * 100}%` }} />
      </span>
    </button>
  )
}

/** What ends the cause, where there is something. */
function Remedy({ remedy }: { readonly remedy: FailureRemedy | undefined }) {
  const { t } = useTranslation('logs')
  if (!remedy) return null
  const id = String(remedy.id)
  const look = { size: 'sm', variant: 'ghost', className: 'text-accent-text!' } as const
  switch (remedy.kind) {
    case 'addBalance':
      return (
        <LinkButton to="/user/edit/$id" params={{ id }} {...look}>
          {t('failures.addBalance')}
        </LinkButton>
      )
    case 'topUp':
      return (
        <LinkButton to="/topup" {...look}>
          {t('failures.topUp')}
        </LinkButton>
      )
    case 'openChannel':
      return (
        <LinkButton to="/channel/edit/$id" params={{ id }} {...look}>
          {t('failures.openChannel')}
        </LinkButton>
      )
    case 'setPrice':
      return (
        <LinkButton
          to="/models"
          search={remedy.model === undefined ? { state: 'unpriced' } : { price: remedy.model }}
          {...look}
        >
          {t('failures.setPrice')}
        </LinkButton>
      )
  }
}
