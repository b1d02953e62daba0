import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CallTotals, type Fault, faults, operatorFaults, otherModels } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import type { LogLink } from '../../lib/figures/figure.ts'
import { figures } from '../../lib/figures/figures.ts'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'
import { type Summary, summaryQuery } from './api.ts'
import { sumOf, sumOfFaults } from './rates.ts'

/** Shows the failures of the last seven days: of models, for administrators of channels, and by the party at fault. */
export function Failures({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery(summaryQuery(admin))
  if (!data) return null
  const { failing_models: models = [], more_failing_models: more = 0, calls } = data
  return (
    <>
      <FailureCard title={t('failures.models')} period={t('failures.period')} none={models.length === 0}>
        {models.map((model) => (
          <ModelRow key={model.model_name} model={model} summary={data} />
        ))}
        {more > 0 && (
          <li className="py-1.5 text-xs">
            <Link
              to="/log"
              search={{ ...figures.failedInWeek.of(undefined, data).link, why: true }}
              className="text-accent-text hover:underline"
            >
              {t('failures.moreModels', { count: more })}
            </Link>
          </li>
        )}
      </FailureCard>
      {admin && <ChannelCard summary={data} />}
      {calls && <FaultCard totals={calls.week} />}
    </>
  )
}

interface ModelRowProps {
  readonly model: NonNullable<Summary['failing_models']>[number]
  readonly summary: Summary
}

/** Calls of a model that failed for their callers. */
function ModelRow({ model, summary }: ModelRowProps) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const { model_name: name, count, errors, broken } = model
  const { link } = figures.failingModel.of(model, summary)
  const text = name === otherModels ? t('failures.otherModels') : name || t('failures.noModel')
  const causes = [
    ...operatorFaults
      .filter((fault) => model.faults[fault] > 0)
      .map((fault) => `${common(`fault.${fault}`)} ${formatInteger(model.faults[fault])}`),
    ...(broken > 0 ? [t('failures.broken', { visible: formatInteger(broken) })] : []),
  ]
  return (
    <FailureRow failed={errors} all={count + errors} causes={causes.join(' · ')}>
      <LogName link={errors > 0 ? link : undefined} className="font-mono text-[0.93em]">
        {text}
      </LogName>
    </FailureRow>
  )
}

/** Attempts that failed at channels, and the calls that tried each. */
function ChannelCard({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation('dashboard')
  const { failing_channels: channels = [], more_failing_channels: more = 0 } = summary
  return (
    <FailureCard
      title={t('failures.channels')}
      period={t('failures.periodAttempts')}
      none={channels.length === 0}
    >
      {channels.map((channel) => {
        const { value, link } = figures.triedChannel.of(channel, summary)
        return (
          <FailureRow
            key={channel.channel}
            failed={channel.faults.upstream}
            all={sumOf(channel)}
            causes={
              <LogName link={value > 0 ? link : undefined} className="inline-block leading-6">
                {t('failures.tried', { count: value, visible: formatInteger(value) })}
              </LogName>
            }
          >
            <ChannelName id={channel.channel} name={channel.channel_name} />
          </FailureRow>
        )
      })}
      {more > 0 && (
        <li className="py-1.5 text-xs">
          <Link to="/channel" search={{ sort: '-problems' }} className="text-accent-text hover:underline">
            {t('failures.moreChannels', { count: more })}
          </Link>
        </li>
      )}
    </FailureCard>
  )
}

function ChannelName({ id, name }: { readonly id: number; readonly name: string }) {
  const { t } = useTranslation('dashboard')
  if (name === '') return <span className="truncate">{t('failures.goneChannel', { id })}</span>
  return (
    <Link
      to="/channel/edit/$id"
      params={{ id: String(id) }}
      className="truncate hover:text-accent-text hover:underline"
    >
      {name}
    </Link>
  )
}

interface LogNameProps {
  readonly link: LogLink | undefined
  readonly className?: string
  readonly children: ReactNode
}

function LogName({ link, className = '', children }: LogNameProps) {
  if (link === undefined) return <span className={`truncate ${className}`}>{children}</span>
  return (
    <Link to="/log" search={link} className={`truncate hover:text-accent-text hover:underline ${className}`}>
      {children}
    </Link>
  )
}

/** By whose fault calls failed, those with most first. */
function FaultCard({ totals }: { readonly totals: CallTotals }) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const countOf = (cause: Fault | 'broken') => (cause === 'broken' ? totals.broken : totals.faults[cause])
  const failed = [...faults, 'broken' as const].filter((cause) => countOf(cause) > 0)
  const sorted = failed.toSorted((a, b) => countOf(b) - countOf(a))
  return (
    <FailureCard title={t('failures.causes')} period={t('failures.period')} none={failed.length === 0}>
      {sorted.map((cause) => (
        <FailureRow
          key={cause}
          failed={countOf(cause)}
          all={sumOfFaults(totals, faults) + totals.ok + totals.broken}
        >
          {common(`fault.${cause}`)}
        </FailureRow>
      ))}
    </FailureCard>
  )
}

interface FailureCardProps {
  readonly title: string
  readonly period: string
  readonly none: boolean
  readonly children: ReactNode
}

function FailureCard({ title, period, none, children }: FailureCardProps) {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={title} description={period}>
      {none ? (
        <p className="text-muted text-sm">{t('failures.none')}</p>
      ) : (
        <ul className="flex flex-col">{children}</ul>
      )}
    </Card>
  )
}

interface FailureRowProps {
  readonly failed: number
  readonly all: number
  /** Below the name. */
  readonly causes?: ReactNode
  readonly children: ReactNode
}

/** How many of all failed. */
function FailureRow({ failed, all, causes, children }: FailureRowProps) {
  const { t } = useTranslation('dashboard')
  return (
    <li className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0 max-sm:py-2.5">
      <span className="flex min-w-0 flex-1 flex-col">
        {children}
        {causes && <span className="truncate text-2xs text-muted">{causes}</span>}
      </span>
      <span className="figures text-muted text-xs">
        {t('failures.of', { errors: formatInteger(failed), calls: formatInteger(all) })}
      </span>
      <span className="figures w-14 text-right font-medium">
        {all === 0 ? '–' : formatPercent(failed / all)}
      </span>
    </li>
  )
}
