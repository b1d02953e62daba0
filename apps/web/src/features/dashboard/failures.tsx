import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AttemptTotals, type Fault, faults, operatorFaults, otherModels } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'
import { summaryQuery } from './api.ts'
import { attemptsOf, sumOfFaults } from './rates.ts'

/** Shows the failures of the last seven days: of models, for administrators of channels, and by the party at fault. */
export function Failures({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery(summaryQuery(admin))
  if (!data) return null
  const { failing_models: models, failing_channels: channels = [], attempts } = data
  return (
    <>
      <FailureCard title={t('failures.models')} none={models.length === 0}>
        {models.map((model) => (
          <FailureRow key={model.model_name} totals={model} of={operatorFaults}>
            <ModelLink model={model.model_name} />
          </FailureRow>
        ))}
      </FailureCard>
      {admin && (
        <FailureCard title={t('failures.channels')} none={channels.length === 0}>
          {channels.map((channel) => (
            <FailureRow key={channel.channel} totals={channel} of={ofChannel}>
              <Link
                to="/log"
                search={{ type: 5, channel: channel.channel, range: '7d' }}
                className="truncate hover:text-accent-text hover:underline"
              >
                {channel.channel_name || t('failures.goneChannel', { id: channel.channel })}
              </Link>
            </FailureRow>
          ))}
        </FailureCard>
      )}
      <FaultCard totals={attempts.week} />
    </>
  )
}

const ofChannel = ['upstream'] as const satisfies readonly Fault[]

function ModelLink({ model }: { readonly model: string }) {
  const { t } = useTranslation('dashboard')
  if (model === otherModels) return t('failures.otherModels')
  return (
    <Link
      to="/log"
      search={{ type: 5, model, range: '7d' }}
      className="truncate font-mono text-[0.93em] hover:text-accent-text hover:underline"
    >
      {model || t('failures.noModel')}
    </Link>
  )
}

/** Shows the parties at fault for failed attempts, those with most first. */
function FaultCard({ totals }: { readonly totals: AttemptTotals }) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const failed = faults.filter((fault) => totals.faults[fault] > 0)
  const sorted = failed.toSorted((a, b) => totals.faults[b] - totals.faults[a])
  return (
    <FailureCard title={t('failures.causes')} none={failed.length === 0}>
      {sorted.map((fault) => (
        <FailureRow key={fault} totals={totals} of={[fault]}>
          {common(`attempts.fault.${fault}`)}
        </FailureRow>
      ))}
    </FailureCard>
  )
}

interface FailureCardProps {
  readonly title: string
  readonly none: boolean
  readonly children: ReactNode
}

function FailureCard({ title, none, children }: FailureCardProps) {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={title} description={t('failures.period')}>
      {none ? (
        <p className="text-muted text-sm">{t('failures.none')}</p>
      ) : (
        <ul className="flex flex-col">{children}</ul>
      )}
    </Card>
  )
}

interface FailureRowProps {
  readonly totals: AttemptTotals
  /** The faults that count as failures here. */
  readonly of: readonly Fault[]
  readonly children: ReactNode
}

/** Shows the number of failed attempts, and the fault where there is a choice of several. */
function FailureRow({ totals, of, children }: FailureRowProps) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const failed = sumOfFaults(totals, of)
  const attempts = attemptsOf(totals)
  const causes = of.length === 1 ? [] : of.filter((fault) => totals.faults[fault] > 0)
  return (
    <li className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0 max-sm:py-2.5">
      <span className="flex min-w-0 flex-1 flex-col">
        {children}
        {causes.length > 0 && (
          <span className="truncate text-2xs text-muted">
            {causes
              .map((fault) => `${common(`attempts.fault.${fault}`)} ${formatInteger(totals.faults[fault])}`)
              .join(' · ')}
          </span>
        )}
      </span>
      <span className="figures text-muted text-xs">
        {t('failures.of', { errors: formatInteger(failed), calls: formatInteger(attempts) })}
      </span>
      <span className="figures w-14 text-right font-medium">{formatPercent(failed / attempts)}</span>
    </li>
  )
}
