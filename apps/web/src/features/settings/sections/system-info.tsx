import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card, KeyValue } from '../../../components/ui/card.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { useStatus } from '../../../lib/status.ts'
import { latestRelease } from '../api.ts'

/** What runs here, since when, and whether there is something newer. */
export function SystemInfo() {
  const { t } = useTranslation('settings')
  const status = useStatus()
  const check = useMutation({ mutationFn: latestRelease, meta: { silent: true } })
  const current = status?.version ?? ''
  const bare = (version: string) => version.replace(/^v/, '')
  return (
    <Card
      title={t('system.title')}
      action={
        <Button size="sm" loading={check.isPending} onClick={() => check.mutate()}>
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
        {check.error && (
          <Notice tone="bad" title={t('system.failed')}>
            {check.error.message}
          </Notice>
        )}
        {check.data && bare(check.data.tag_name) === bare(current) && (
          <Notice tone="good">{t('system.latest')}</Notice>
        )}
        {check.data && bare(check.data.tag_name) !== bare(current) && (
          <Notice tone="info" title={t('system.newer', { version: check.data.tag_name })}>
            <p className="max-h-64 overflow-y-auto whitespace-pre-wrap">{check.data.body}</p>
          </Notice>
        )}
      </div>
    </Card>
  )
}
