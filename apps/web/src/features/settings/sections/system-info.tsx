import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card, KeyValue } from '../../../components/ui/card.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Skeleton } from '../../../components/ui/states.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { useStatus } from '../../../lib/api/status.ts'
import { formatDateTime } from '../../../lib/format/format.ts'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { mailStateQuery, settingsQuery } from '../api.ts'

const OperatorText = lazyComponent(
  () => import('../../../components/operator-content/operator-text.tsx'),
  'OperatorText',
)

/** Shows the running version, its start, and whether a newer one exists. */
export function SystemInfo() {
  const { t } = useTranslation('settings')
  const status = useStatus()
  const check = useMutation({ mutationFn: () => request(calls.release.latest), meta: { silent: true } })
  const { data: settings } = useQuery(settingsQuery)
  const isOff = settings?.find(({ key }) => key === 'ReleaseCheckUrl')?.value === ''
  const current = status?.version ?? ''
  return (
    <Card
      title={t('system.title')}
      action={
        <Button size="sm" disabled={isOff} loading={check.isPending} onClick={() => check.mutate()}>
          {t('system.check')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <KeyValue
          items={[
            { label: t('system.version'), value: current },
            status && { label: t('system.started'), value: formatDateTime(status.start_time) },
          ]}
        />
        {isOff && <p className="text-muted text-sm">{t('system.off')}</p>}
        {check.error && (
          <Notice tone="bad" title={t('system.failed')}>
            {check.error.message}
          </Notice>
        )}
        {check.data?.newer === false && <Notice tone="good">{t('system.latest')}</Notice>}
        {check.data?.newer && (
          <Notice tone="info" title={t('system.newer', { version: check.data.tag_name })}>
            <section
              aria-label={t('system.notes')}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what it can focus
              tabIndex={0}
              className="mt-2 max-h-80 overflow-y-auto rounded border bg-surface p-3 text-text"
            >
              <Suspense fallback={<Skeleton className="h-24" />}>
                <OperatorText text={check.data.body} />
              </Suspense>
            </section>
          </Notice>
        )}
      </div>
    </Card>
  )
}

/** Tries the saved mail settings, and says why the last mail could not be sent. */
export function TestMail() {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const { data: state } = useQuery(mailStateQuery)
  const [to, setTo] = useState('')
  const sending = useMutation({
    mutationFn: (to: string) => request(calls.options.testMail, { body: { to } }),
    meta: { silent: true },
    onSettled: () => client.invalidateQueries(mailStateQuery),
  })
  const failure = state?.last_failure
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      {failure && !sending.error && (
        <Notice tone="bad" title={t('testMail.lastFailure', { time: formatDateTime(failure.at) })}>
          {failure.reason}
        </Notice>
      )}
      <Field label={t('testMail.to')} hint={t('testMail.hint')}>
        <div className="flex gap-2">
          <Input
            type="email"
            autoComplete="email"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
          <Button loading={sending.isPending} onClick={() => sending.mutate(to)}>
            {t('testMail.send')}
          </Button>
        </div>
      </Field>
      {sending.error && <Notice tone="bad">{sending.error.message}</Notice>}
      {sending.isSuccess && <Notice tone="good">{t('testMail.sent')}</Notice>}
    </div>
  )
}
