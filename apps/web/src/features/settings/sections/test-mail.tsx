import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { mailStateQuery, sendTestMail } from '../api.ts'

/** Tries the saved mail settings, and says why the last mail could not be sent. */
export function TestMail() {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const { data: state } = useQuery(mailStateQuery)
  const [to, setTo] = useState('')
  const sending = useMutation({
    mutationFn: sendTestMail,
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
