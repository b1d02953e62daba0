import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card, KeyValue } from '../../components/ui/card.tsx'
import { CodeBlock, CopyButton } from '../../components/ui/copy.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { useServerAddress, useStatus } from '../../lib/api/status.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { useUser } from '../../lib/session/session.ts'
import { knownModel, sampleModel } from './sample-model.ts'
import { servedModelsQuery } from './served-models.ts'
import { type SnippetKind, snippetKinds, snippetOf } from './snippets.ts'

const dialects = ['openai', 'anthropic', 'gemini'] as const

/** Base URLs of each API format, and the running version. */
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
            value: <time className="figures">{formatDateTime(status.start_time)}</time>,
          },
        ]}
      />
    </Card>
  )
}

/** A first call to copy, for a model that the visitor can call. */
export function FirstCall() {
  const { t } = useTranslation('home')
  const { data: served, isPending } = useQuery(servedModelsQuery(useUser()?.id))
  const model = served && (sampleModel(served.rows) ?? null)
  const address = useServerAddress()
  const [kind, setKind] = useState<SnippetKind>('curl')
  const code = snippetOf(kind, address, model ?? knownModel)
  return (
    <Card title={t('firstCall')} description={t('firstCallHint')}>
      <Tabs
        aria-label={t('firstCall')}
        value={kind}
        onValueChange={setKind}
        tabs={snippetKinds.map((value) => ({
          value,
          label: t(`snippet.${value}`),
          content: isPending ? (
            <Skeleton className="h-36!" />
          ) : (
            <CodeBlock code={code} label={t('copySnippet')} />
          ),
        }))}
      />
      {model === null && <p className="mt-3 text-muted text-xs">{t('noModel')}</p>}
    </Card>
  )
}
