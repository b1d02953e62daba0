import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Card, KeyValue } from '../../components/ui/card.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { useServerAddress, useStatus } from '../../lib/status.ts'

const dialects = ['openai', 'anthropic', 'gemini'] as const

/** Where programs send their calls, in whose words, and what runs there. */
export function Installation() {
  const { t } = useTranslation('home')
  const status = useStatus()
  const address = useServerAddress()
  const baseUrls = { openai: `${address}/v1`, anthropic: address, gemini: address }
  return (
    <Card title={t('installation')} action={status && <StatusDot tone="good">{t('running')}</StatusDot>}>
      <ul className="-mt-1 mb-3 flex flex-col divide-y border-b">
        {dialects.map((dialect) => (
          <li key={dialect} className="flex flex-col gap-1 py-2.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{t(`dialect.${dialect}.name`)}</span>
              <span className="text-muted text-xs">{t(`dialect.${dialect}.calls`)}</span>
            </p>
            <p className="flex min-w-0 items-center gap-2 text-sm -my-0.5">
              <span className="shrink-0 text-muted text-xs">{t('baseUrl')}</span>
              <code className="min-w-0 flex-1 truncate text-[0.93em]">{baseUrls[dialect]}</code>
              <CopyButton
                value={baseUrls[dialect]}
                label={t('copyBaseUrl', { name: t(`dialect.${dialect}.name`) })}
              />
            </p>
          </li>
        ))}
      </ul>
      <KeyValue
        items={[
          {
            label: t('apiReference'),
            value: (
              <Link to="/docs" className="text-accent-text hover:underline">
                {t('apiReferenceLink')}
              </Link>
            ),
          },
          { label: t('version'), value: status?.version ?? <Skeleton className="w-16!" /> },
          status !== undefined && {
            label: t('started'),
            value: <span className="figures">{formatDateTime(status.start_time)}</span>,
          },
        ]}
      />
    </Card>
  )
}
