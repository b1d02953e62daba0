import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { roles } from '@tollgate/api'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card, KeyValue } from '../../components/ui/card.tsx'
import { CodeBlock, CopyButton } from '../../components/ui/copy.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { useServerAddress, useStatus } from '../../lib/status.ts'
import { anyChannelQuery, anyTokenQuery, selfQuery } from './page.tsx'
import { knownModel, sampleModelQuery } from './sample-model.ts'
import { type SnippetKind, snippetKinds, snippetOf } from './snippets.ts'

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

/** Something to paste that works here, with a model that whoever looks can call. */
export function FirstCall() {
  const { t } = useTranslation('home')
  const { data: model, isPending } = useQuery(sampleModelQuery(useUser()?.id))
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

interface Step {
  readonly id: 'channel' | 'token' | 'call'
  readonly to: '/channel/add' | '/token/add' | '/playground'
  readonly done: boolean
}

/** The way from an empty installation to the first call; steps taken are ticked off, and gone when all are. */
export function NextSteps({ role }: { readonly role: number }) {
  const { t } = useTranslation('home')
  const admin = role >= roles.admin
  const channel = useQuery({ ...anyChannelQuery, enabled: admin })
  const token = useQuery(anyTokenQuery)
  const self = useQuery(selfQuery)
  const channelStep: Step = { id: 'channel', to: '/channel/add', done: channel.data ?? false }
  const steps: readonly Step[] = [
    ...(admin ? [channelStep] : []),
    { id: 'token', to: '/token/add', done: token.data ?? false },
    { id: 'call', to: '/playground', done: (self.data?.request_count ?? 0) > 0 },
  ]
  const known = token.data !== undefined && self.data !== undefined && (!admin || channel.data !== undefined)
  const next = known ? steps.find((step) => !step.done) : undefined
  if (!next) return null
  return (
    <Card title={t('steps.title')}>
      <ol className="-mx-1.5 flex flex-col gap-0.5">
        {steps.map((step, index) => (
          <li key={step.id}>
            <Link
              to={step.to}
              className="flex items-start gap-3 rounded px-1.5 py-2 transition-colors hover:bg-hover"
            >
              <span
                className={cx(
                  'figures mt-px grid size-5 shrink-0 place-items-center rounded-full border font-medium text-2xs',
                  step.done && 'border-transparent bg-good-soft text-good',
                  step === next && 'border-transparent bg-accent text-on-accent',
                )}
              >
                {step.done ? <Check className="size-3 stroke-3" aria-label={t('steps.done')} /> : index + 1}
              </span>
              <span className="min-w-0">
                <span className={cx('block font-medium', step.done && 'text-muted')}>
                  {t(`steps.${step.id}.title`)}
                </span>
                {!step.done && <span className="block text-muted text-xs">{t(`steps.${step.id}.hint`)}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}
