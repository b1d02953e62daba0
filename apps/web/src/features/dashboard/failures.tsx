import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { formatInteger, formatPercent } from '../../lib/format.ts'
import { summaryQuery } from './api.ts'
import { errorRate } from './rates.ts'

/** Models, and for administrators channels, whose calls failed in the last seven days. */
export function Failures({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery(summaryQuery(admin))
  if (!data) return null
  const { failing_models: models, failing_channels: channels = [] } = data
  return (
    <>
      <FailureCard title={t('failures.models')} none={models.length === 0}>
        {models.map((model) => (
          <FailureRow key={model.model_name} {...model}>
            <Link
              to="/log"
              search={{ type: 5, model: model.model_name, range: '7d' }}
              className="truncate font-mono text-[0.93em] hover:text-accent-text hover:underline"
            >
              {model.model_name || t('failures.noModel')}
            </Link>
          </FailureRow>
        ))}
      </FailureCard>
      {admin && (
        <FailureCard title={t('failures.channels')} none={channels.length === 0}>
          {channels.map((channel) => (
            <FailureRow key={channel.channel} {...channel}>
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
    </>
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
  readonly count: number
  readonly errors: number
  readonly children: ReactNode
}

function FailureRow({ count, errors, children }: FailureRowProps) {
  const { t } = useTranslation('dashboard')
  return (
    <li className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0 max-sm:py-2.5">
      <span className="flex min-w-0 flex-1">{children}</span>
      <span className="figures text-muted text-xs">
        {t('failures.of', { errors: formatInteger(errors), calls: formatInteger(count + errors) })}
      </span>
      <span className="figures w-14 text-right font-medium">
        {formatPercent(errorRate({ count, errors }) ?? 0)}
      </span>
    </li>
  )
}
